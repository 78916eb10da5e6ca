"""Class grading for hours: `make soak`. Memory and everything else that can leak stays flat, scores stay the same."""
