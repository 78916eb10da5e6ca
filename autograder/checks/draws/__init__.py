"""Further inputs, drawn from a seed: of moderate size, away from kinks unless the kink is the point."""
