"""The engines that there are, bmc included, and how one is chosen, checked and made."""
