"""The book: lessons, exercises, mistakes and guides as a static site. `make site` builds it."""
