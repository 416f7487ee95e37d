"""What a program is: expressions, instructions, threads, locations, the final condition."""
