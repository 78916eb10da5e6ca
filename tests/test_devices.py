"""Checks on another device than the CPU: the same verdicts, or a sentence that says why not.

Tests of CUDA and MPS run where there is such a device, and are reported as skipped, by name, where there is none. The
`lazy` device, which torch has everywhere, runs what they have in common. `make devices` runs every answer.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder import digits
from autograder.checks.catalogue import find_task
from autograder.checks.task import PUBLIC_SEED
from autograder.classroom.course import Course, CourseError
from autograder.classroom.job import Job
from autograder.classroom.preparing import key
from autograder.comparison import differences
from autograder.grader.answers_file import fits, pack_answers, unpack_answers
from autograder.grader.custody import NotebookRun, evidence_of_file
from autograder.grader.judge import judge
from autograder.grader.live import judge_namespace
from autograder.grader.verdict import Verdict
from autograder.probes import Question, devices
from autograder.probes.devices import DeviceError, make_ready, numbers_of_the_cpu, resolve
from autograder.probes.known_state import known_state
from autograder.supervisor.limits import Limits
from autograder.wire.plain import SeenTensor
from tests.answers import Answer, right_answers, wrong_answers
from tests.devices import disagreement
from tests.submissions import COURSE, solution_sources, solved

SAMPLE = {
    "01_scalar_graphs": "partials",
    "02_grad": "gradient_of_vector",
    "03_retain_grad": None,
    "04_hooks": None,
    "05_elements": None,
    "06_custom_functions": None,
    "07_jacobians": None,
    "08_higher_order": None,
    "09_cnn": None,
    "10_adversarial": None,
    "11_clinic": None,
}
