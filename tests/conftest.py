"""Settings shared by all tests. This file puts tests/ on the import path, for golden_files."""
