"""Everything printed or saved as a file."""
