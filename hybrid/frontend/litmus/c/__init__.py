"""herd's dialect of C11."""
