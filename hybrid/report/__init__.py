"""From traces to an answer, and the answer as text, as JSON and in herd's form."""
