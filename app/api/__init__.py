"""The JSON interface: what the pages do, for scripts and other front ends."""
