"""Answers with a proof: certificates, and their re-checking."""
