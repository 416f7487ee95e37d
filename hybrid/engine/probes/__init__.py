"""How many executions a program has, estimated from a few of them."""
