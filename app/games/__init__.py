"""One game at work: open, record, preview, look back."""
