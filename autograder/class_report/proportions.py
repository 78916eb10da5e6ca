"""Counts and correlations of a class, with intervals that say how little a small class shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np

from autograder.standings.number_text import number

LEAST = 10
"""Students below whose number no percentage, interval or correlation is given."""


@dataclasses.dataclass(frozen=True)
class Proportion:
    """A count of students out of others.

    Attributes:
        count: how many.
        of: out of how many.
    """

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """The proportion from 0 to 1; None for no student."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval at 95% confidence; None below LEAST students."""
        if self.of < LEAST:
            return None
        from scipy.stats import binomtest  # takes a second to import, and not every command that gets here counts

        found = binomtest(self.count, self.of).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    @property
    def shown(self) -> str:
        """The counts, and the interval if there is one: "12 of 18 (44% to 84%)"."""
        between = self.interval
        return f"{self.count} of {self.of}" + (f" ({between[0]:.0%} to {between[1]:.0%})" if between else "")


@dataclasses.dataclass(frozen=True)
class PointsShare:
    """The points of several students together, out of those that they could earn.

    Attributes:
        points: the points earned.
        maximum: the points that could be earned.
        students: how many students.
    """

    points: float
    maximum: float
    students: int

    @property
    def share(self) -> float | None:
        """The mean share of the points, above 1 with extra credit; None for no student."""
        return self.points / self.maximum if self.maximum else None

    @property
    def shown(self) -> str:
        """The share: "56%"; below LEAST students the points themselves: "11 of 20"; empty for no student."""
        if self.share is None:
            return ""
        if self.students < LEAST:
            return f"{number(self.points)} of {number(self.maximum)}"
        return f"{self.share:.0%}"


@dataclasses.dataclass(frozen=True)
class Correlation:
    """A correlation with its interval at 95% confidence, or the reason why there is none.

    Attributes:
        value: Pearson's coefficient from -1 to 1; None if there is none.
        low, high: Fisher's interval.
        students: the number of students.
        why_none: why there is none; empty if there is one.
    """

    value: float | None
    low: float = 0.0
    high: float = 0.0
    students: int = 0
    why_none: str = ""

    @staticmethod
    def of(first: Iterable[float], second: Iterable[float]) -> Correlation:
        """Correlate two columns of numbers, one row a student, without NaN."""
        one, other = np.asarray([*first], float), np.asarray([*second], float)
        if len(one) < LEAST:
            return Correlation(None, students=len(one), why_none=f"fewer than {LEAST} students")
        if np.ptp(one) < 1e-9:
            return Correlation(None, students=len(one), why_none="all have the same points")
        if np.ptp(other) < 1e-9:
            return Correlation(None, students=len(one), why_none="all have the same points in the other tasks")
        from scipy.stats import pearsonr

        found = pearsonr(one, other)
        between = found.confidence_interval()
        return Correlation(float(found.statistic), float(between.low), float(between.high), len(one))

    @property
    def shown(self) -> str:
        """The coefficient and its interval: "0.41 (0.02 to 0.69)"; else the reason why there is none."""
        if self.value is None:
            return self.why_none
        return f"{signed(self.value)} ({signed(self.low)} to {signed(self.high)})"

    @property
    def chance_explains(self) -> bool:
        """Whether the interval holds 0."""
        return self.value is None or self.low <= 0 <= self.high


def signed(value: float) -> str:
    """Format a coefficient with two decimals and a true minus sign."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
