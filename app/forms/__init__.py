"""Forms: what a page asks, read with WTForms; each form makes one event for the log."""
