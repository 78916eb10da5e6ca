"""The command `autograder`: small verbs for students, instructors and maintainers. Each loads only what it needs."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from autograder.desk.verbs import add_verbs as add_student_verbs
from autograder.supervisor.tiers import NoSandboxError
from autograder.surroundings import check_package, missing
from autograder.tasks.tables import TaskFolderError
from autograder.visible_text import visible


def main(arguments: list[str] | None = None) -> int:
    """Run one verb and return the exit status."""
    try:
        check_package()
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # for instance `| head` has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ImportError as error:
        sentence = missing(error) if isinstance(error, ModuleNotFoundError) else None
        if error.name == "autograder":
            sentence = error.msg
        if sentence is None:
            raise
        print(f"autograder: {sentence}", file=sys.stderr)
        return 2
    except OSError as error:
        from autograder.gradebook_access.disk import is_full  # here, because these load nbgrader
        from autograder.gradebook_access.reasons import reason
        from autograder.whole_files import is_refused

        refused = is_refused(error) or is_full(error) or error.filename is not None
        print(visible(f"autograder: {reason(error)}" if refused else traceback.format_exc()), file=sys.stderr)
        return 2 if refused else 1
    except (NoSandboxError, TaskFolderError) as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    except Exception:  # a defect of ours, whose message may quote a student's text
        print(visible(traceback.format_exc()), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130  # a shell's exit status after Ctrl-C


def _run(arguments: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="autograder", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    add_student_verbs(verbs)
    clean = verbs.add_parser("clean", help="bring notebooks into the form that git keeps")
    clean.add_argument("paths", nargs="*", type=Path, default=[Path("lessons"), Path("solutions")])
    clean.add_argument("--check", action="store_true", help="change nothing, fail where one is not clean")
    scores = verbs.add_parser("scores", help="a table of scores and reasons from the gradebook")
    scores.add_argument("assignment", nargs="?", help="its name; where left out, how far each assignment is")
    report = verbs.add_parser(
        "report", help="a page about a class: scores, tasks, mistakes to talk about, who is stuck"
    )
    if "report" in (arguments or sys.argv[1:]):
        from autograder.class_report import command as reporting

        reporting.add_arguments(report)
        report.set_defaults(run=reporting.write_class_report)
    grade = verbs.add_parser("grade", help="grade a class: all submissions of some assignments, on all cores")
    if "grade" in (arguments or sys.argv[1:]):  # only then, because its options import nbgrader
        from autograder.classroom.command import add_arguments
        from autograder.classroom.command import grade as grade_class

        add_arguments(grade)
        grade.set_defaults(run=grade_class)
    appeal = verbs.add_parser("appeal", help="list, show and decide what students contest; the log of decisions")
    if "appeal" in (arguments or sys.argv[1:]):
        from autograder.appeals import command as appealing

        appealing.add_arguments(appeal)
        appeal.set_defaults(run=appealing.handle_appeals)
    deal = verbs.add_parser("deal", help="write a notebook for each student, with versions of tasks dealt by name")
    if "deal" in (arguments or sys.argv[1:]):
        from autograder.classroom import dealing

        dealing.add_arguments(deal)
        deal.set_defaults(run=dealing.deal)
    feedback = verbs.add_parser("feedback", help="make nbgrader's feedback pages of an assignment, on all cores")
    if "feedback" in (arguments or sys.argv[1:]):
        from autograder.classroom import feedback as pages

        pages.add_arguments(feedback)
        feedback.set_defaults(run=pages.make_feedback)
    explain = verbs.add_parser("explain", help="say why the gradients of your own function are wrong")
    if "explain" in (arguments or sys.argv[1:]):
        from autograder.own_gradients import command as explaining

        explaining.add_arguments(explain)
    doctor = verbs.add_parser("doctor", help="try what really protects this machine from student code")
    doctor.add_argument("--require", choices=("a", "b", "c"), default="c", help="fail below this tier")
    forget = verbs.add_parser("forget", help="delete everything that is stored of a student")
    forget.add_argument("student")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    export = verbs.add_parser("export-anonymous", help="points and diagnoses of all tasks as CSV, without names")
    export.add_argument("file", type=Path)
    gradescope = verbs.add_parser("gradescope", help="grade the submission in a Gradescope container: results.json")
    if "gradescope" in (arguments or sys.argv[1:]):
        from autograder.exports import one_submission

        one_submission.add_arguments(gradescope)
        gradescope.set_defaults(run=one_submission.grade_submission)
    similarity = verbs.add_parser(
        "similarity", help="pairs that share code which hardly any other student wrote: a hint"
    )
    if "similarity" in (arguments or sys.argv[1:]):
        from autograder.similarity import command

        command.add_arguments(similarity)
        similarity.set_defaults(run=command.compare_class)
    if {"new", "notebook", "check-task"} & set(arguments or sys.argv[1:]):
        from autograder.author_verbs import add_verbs

        add_verbs(verbs)
    else:  # only for the help
        for name, what in (("new", "begin an exercise or a task"), ("notebook", "make notebooks from task folders")):
            verbs.add_parser(name, help=what)
        verbs.add_parser("check-task", help="prove one task")
    options, rest = parser.parse_known_args(arguments)
    if rest and options.verb != "lab":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    if hasattr(options, "run"):
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    if options.verb in ("forget", "export-anonymous"):
        from autograder.student_data.command import export_class, forget_student

        return (forget_student if options.verb == "forget" else export_class)(options)
    if options.verb == "clean":
        from autograder.notebooks.cleaning import clean_all

        return clean_all(options.paths, check_only=options.check)
    if options.verb == "doctor":
        from autograder.doctor import examine

        return examine(options.require)
    from autograder.scores import print_scores

    return print_scores(options.assignment)


if __name__ == "__main__":
    sys.exit(main())
