"""RSMC for models with a commit-before (Abdulla et al., CAV 2016)."""
