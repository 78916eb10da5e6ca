"""Tests of the built site; `make test-site` builds it and runs them."""
