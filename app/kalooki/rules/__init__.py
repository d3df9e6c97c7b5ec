"""The rules, disputes and mishaps of a variant in words, with the documents that say so."""
