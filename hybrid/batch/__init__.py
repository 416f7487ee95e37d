"""Many files: one loop, one pool of workers, one journal."""
