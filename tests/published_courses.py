"""Courses that others have published, graded by stock nbgrader and by this project: which rows differ.

    python -m tests.published_courses FOLDER... FOLDER/source/ASSIGNMENT...

A folder holds a course's `source/`; nothing is fetched, and nothing in it is changed. In the copies, each notebook's
kernel is called python3, and old metadata is updated. Some solutions draw random numbers or ask the network: read what
differs.

Compared so far, each at this commit, with the folder that holds the assignments:

    219project/num_meth_nbgrader               8246e07e  TestCourse/source: Eigenvalues, ODE_IVP, newton_iter, quadratic
    spanto/2021WNPhys260                       26c72724  source: pf3, ps7
    ccha23/cs1302i21a                          52ad875c  source: Lab4, Lab6, Review (which nbgrader cannot generate)
    rameshsrinivasanuci/COGS14P_F25_Assignments  df9f673b  classwork/source: cw3
    ozguryilmaz/Math307---2021WT2              d75ab42c  source: Assignment0
    aalbiol/ss-jupyterhub                      77542f80  source: autonomos-PWM, autonomos-multiplex_temporal,
                                                         autonomos-respuesta_frecuencia
    zichengliao/zuics101-fa17                  436a53ca  source: lab01, lab05
    nachorequeno/programacion_python           faadae6b  nbgrader/source: hoja_06

All are repositories of github.com.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.own_courses import compare


def assignments(folder: Path) -> list[tuple[Path, str]]:
    """The assignments of a course's folder, or the one that is named itself: each its `source/` and its name."""
    if folder.parent.name == "source":
        return [(folder.parent, folder.name)]
    source = folder / "source"
    return [(source, path.name) for path in sorted(source.iterdir()) if any(path.glob("*.ipynb"))]


def report(source: Path, assignment: str) -> bool:
    """Compare an assignment, and print a line on it, and one for each difference that nothing explains."""
    name, begun = f"{source.parent.name}/{assignment}", time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = compare(source, assignment, Path(folder))
        except AssertionError as error:
            print(f"{name}: not compared: {error}", flush=True)
            return False
    if found.failed:
        print(f"{name}: neither can generate it: {found.failed}", flush=True)
        return True
    cells = len({one.row[:3] for one in found.unexplained})
    meant = Counter(why for _, why in {(one.row[:3], one.why) for one in found.found if one.why})
    seconds = time.monotonic() - begun
    print(f"{name}: {found.cells} cells, {cells} differ, {meant.total()} as meant ({seconds:.0f} s)", flush=True)
    for one in found.unexplained:
        print(f"    {one}", flush=True)
    return not cells


def main() -> int:
    """Compare all that is named; return 1 if anything differs that nothing explains."""
    parser = argparse.ArgumentParser(prog="python -m tests.published_courses", description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a course, or one of its assignments")
    folders = [folder.resolve() for folder in parser.parse_args().folders]
    same = [report(*one) for folder in folders for one in assignments(folder)]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
