"""`hybrid serve`: a page on this machine for trying things in a browser.

The server (`server`, `app`) hands requests that pass the `guard` to one queue (`jobs`). Every run
has a process of its own (`process`, `worker`) with limits (`limits`) and, where the kernel can do
that, without access to the rest of the disk (`confine`). Only `app` and `server` need the packages
of the extra `web`.
"""
