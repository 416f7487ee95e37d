"""Run several engines, compare their traces, make random programs."""
