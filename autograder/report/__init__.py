"""Reports: a verdict as a person reads it, in text and in HTML."""
