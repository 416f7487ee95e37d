"""TruSt (Kokologiannakis et al., POPL 2022): execution graphs, optimally, with no memory of those
visited."""
