"""Further inputs, drawn from a seed: numbers of moderate size, away from kinks unless a task is about the kink."""
