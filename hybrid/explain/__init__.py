"""Why an outcome is allowed or forbidden: the search for a trace, refused candidates, races."""
