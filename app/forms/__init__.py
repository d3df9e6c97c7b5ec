"""Forms: what a page asks, read with WTForms; each form turns into one event of the log."""
