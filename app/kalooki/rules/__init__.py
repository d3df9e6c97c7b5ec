"""The rules, disputes and irregularities of a variant in words, with the documents that state them."""
