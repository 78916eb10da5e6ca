"""Answers to TASK. FILL IN: the mistakes that students make, and right answers written in other ways."""

from autograder.tasks.answers import mistake, right, wrong


@mistake("squared", "This is x squared. What does doubling do to 3?")
def squared():
    def TASK(x):
        return x**2


@wrong("squared")
def times_itself():
    def TASK(x):
        result = x
        result *= x
        return result


@mistake("left as it was", "The number was returned unchanged.")
def the_number_itself():
    def TASK(x):
        return x


@wrong("left as it was")
def copied():
    def TASK(x):
        return 1 * x


@wrong("sign")
def negative():
    def TASK(x):
        return -x - x


@wrong("not attempted")
def untouched():
    def TASK(x):
        raise NotImplementedError  # your code here


@right
def added():
    def TASK(x):
        return x + x


@right
def halved():
    def TASK(x):
        return x / 0.5
