"""What the JSON interface answers, as plain values, and the document that describes it."""
