"""A question with one right choice, and its text form."""

from __future__ import annotations

import dataclasses
import textwrap

WIDTH = 80
"""Columns that fit into every notebook's window."""
LETTERS = "abcdefgh"


@dataclasses.dataclass(frozen=True)
class Code:
    """A piece of code that a question shows.

    Attributes:
        title: says whose code it is: "your program".
        text: the code, with line numbers where the question speaks of lines.
    """

    title: str
    text: str


@dataclasses.dataclass(frozen=True)
class MultipleChoice:
    """A question with one right choice.

    Attributes:
        title: the heading: "Question 1 of 3 about your `partials`".
        codes: what is shown before the question is put.
        prompt: the question, in plain text with names in backticks.
        choices: what can be chosen; no two are alike.
        right: the index of the right choice.
        because: what is said after either answer.
    """

    title: str
    codes: tuple[Code, ...]
    prompt: str
    choices: tuple[str, ...]
    right: int
    because: str

    @property
    def letters(self) -> str:
        """The letter of each choice, in order."""
        return LETTERS[: len(self.choices)]

    def place(self, letter: object) -> int:
        """Return the index of the choice with this letter.

        Raises:
            ValueError: if there is none; the message is a sentence for the student.
        """
        given = letter.strip().lower() if isinstance(letter, str) else ""
        if len(given) != 1 or given not in self.letters:
            raise ValueError(f"An answer is one of the letters {', '.join(self.letters)}, in quotes.")
        return self.letters.index(given)

    def reply(self, place: int) -> str:
        """Return what is said to whoever chose the choice of this index."""
        if place == self.right:
            return f"Right. {self.because}"
        return f"You chose {self.letters[place]}; right is {self.letters[self.right]}. {self.because}"

    def as_text(self, how: str) -> str:
        """Return the question as text.

        Args:
            how: the call that answers it, with {} for the letter.
        """
        parts = [self.title]
        for code in self.codes:
            parts += ["", f"{code.title}:", textwrap.indent(code.text, "    ")]
        parts += ["", *textwrap.wrap(self.prompt, WIDTH)]
        for letter, choice in zip(self.letters, self.choices, strict=True):
            first, *rest = choice.splitlines() or [""]
            parts += [f"  {letter}  {first}", *(f"     {line}" for line in rest)]
        return "\n".join([*parts, "", f"Answer with {how.format(self.letters[0])}, or another letter."])
