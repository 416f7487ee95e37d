"""Passes over programs: loops to assumes and awaits. Nothing else uses what is in here but
`pipeline.py`, which runs them."""
