"""The answers of the JSON interface as plain values, and the document that describes it."""
