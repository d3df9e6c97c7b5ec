"""Everything that can be printed or saved as a file."""
