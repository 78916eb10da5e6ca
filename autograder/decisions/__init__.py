"""Decisions on scores: the log of rejudgements and appeals, what a rejudgement replaced, and students' appeals."""
