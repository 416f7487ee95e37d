"""What `import hybrid` offers, and what the command line is written on: docs/python.md."""
