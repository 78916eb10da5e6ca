"""Answers to double."""

from autograder.tasks.answers import mistake, right, wrong


@mistake("squared", "This is x squared. What does doubling do to 3?")
def squared():
    def double(x):
        return x**2


@wrong("squared")
def times_itself():
    def double(x):
        result = x
        result *= x
        return result


@mistake("left as it was", "The number was returned unchanged.")
def the_number_itself():
    def double(x):
        return x


@wrong("sign")
def negative():
    def double(x):
        return -x - x


@wrong("not attempted")
def untouched():
    def double(x):
        raise NotImplementedError  # your code here


@wrong("None returned")
def no_return():
    def double(x):
        2 * x


@right
def added():
    def double(x):
        return x + x


@right
def halved():
    def double(x):
        return x / 0.5
