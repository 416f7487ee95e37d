"""Events, bitset relations, the growing execution, complete traces."""
