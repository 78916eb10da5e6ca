# The verbs of this course. Each starts from a bare clone with Python 3.11.2 or newer and make.
PYTHON ?= python3
SECONDS ?= 60
# Recipes name programs by their path: macOS's make looks them up on the PATH that it was started with.
VENV := .venv/bin
TWINS := .venv-twins/bin
export PATH := $(CURDIR)/$(VENV):$(PATH)

.PHONY: setup grade test proof exhaustive mutants region-mutants messages checks-table devices screenshots rooms fuzz bench \
        published explained term resume soak upgrade site test-site site-links twins lab teach

setup: .venv/installed  ## make .venv and install what the course needs
	@echo 'The course is installed in .venv. Next: make lab'

# Before pip says of one package after the other that it does not exist for this Python.
OLD := The course needs Python 3.11.2 or newer, and this is {}.{}.{}: make setup PYTHON=python3.11
TRY_PYTHON = $(PYTHON) -c "import sys; sys.version_info >= (3, 11, 2) or sys.exit('$(OLD)'.format(*sys.version_info))"

# An environment holds the path of the folder that it was made for, so that one that was moved or copied is made anew.
MOVED := $(shell test ! -s .venv/installed || test "$$(cat .venv/installed)" = "$$(pwd -P)" || echo moved)
ifneq ($(MOVED),)
.PHONY: .venv/installed
endif
# venv writes pip last: Ctrl-C leaves an environment without it, and so does a Python without ensurepip.
WHOLE = test -z "$(MOVED)" && test -x $(VENV)/pip

.venv/installed: requirements.txt constraints.txt pyproject.toml
	@$(WHOLE) || $(TRY_PYTHON)
	@echo 'Installing the course into .venv, which takes some minutes; pip says how far it is.'
	@$(WHOLE) || { rm -rf .venv; $(PYTHON) -m venv .venv; }
	$(VENV)/python -m pip install --disable-pip-version-check -r requirements.txt
	pwd -P > $@

.venv/installed-test: .venv/installed
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

.venv/installed-site: .venv/installed-test
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[site]'
	touch $@

grade messages: EXERCISE ?= 01_scalar_graphs
grade: export COURSE_GRADEBOOK := gradebook/sample
grade: export COURSE_DB_URL :=
grade: .venv/installed  ## grade a sample class, in a gradebook of its own: scores, feedback pages, CSV
	rm -rf gradebook/sample
	$(VENV)/python -m tests.sample_class $(COURSE_GRADEBOOK) $(EXERCISE)
	$(VENV)/python -m nbgrader generate_assignment $(EXERCISE) --force --log-level=WARN
	$(VENV)/python -m autograder grade $(EXERCISE)
	$(VENV)/python -m autograder feedback $(EXERCISE)
	$(VENV)/python -m nbgrader export --log-level=ERROR
	$(VENV)/python -m autograder scores $(EXERCISE)

# One thread a process: with small tensors more of them only wait for each other.
test proof exhaustive mutants region-mutants messages checks-table devices screenshots fuzz soak upgrade site test-site \
        site-links twins explained published term: export OMP_NUM_THREADS := 1
# Hundreds of processes read the same modules: they are compiled once, also where a container forbids it.
test proof exhaustive: export PYTHONDONTWRITEBYTECODE :=
# In the order of names: what takes long stands in tests/tasks and comes first, so that no worker waits for another.
PYTEST = $(VENV)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
test: .venv/installed-test  ## what a change most likely broke; TASK= or EXERCISE=: all that concerns one
	$(VENV)/python -m ruff check .
	$(VENV)/python -m ruff format --check .
	$(VENV)/python -m autograder clean --check
	$(PYTEST) $(if $(TASK)$(EXERCISE),tests/tasks,-m "not proof and not exhaustive")

# Last, as a processor without vector instructions computes, on two threads, and the same points: `make proof` takes
# right answers, `make exhaustive` lessons, a class and the other tests of tasks that compute.
SAME_POINTS = ATEN_CPU_CAPABILITY=default OMP_NUM_THREADS=2 $(PYTEST) -m "not proof and not exhaustive"
ANSWERS = $(addprefix tests/tasks/test_,answers.py library_answers.py)
WITHOUT = $(addprefix --ignore=tests/tasks/test_,library_answers.py damage.py exercises.py held_out.py \
        mutated_solutions.py named_mistakes.py)
proof exhaustive: export TASK :=
proof exhaustive: export EXERCISE :=
proof: .venv/installed-test  ## what `make test` leaves out, at full depth
	$(PYTEST) -m proof --durations=40
	$(SAME_POINTS) $(ANSWERS) -k "not wrong"

exhaustive: .venv/installed-test  ## what asks every task the same once more: further draws, submissions, regions, mutants
	$(PYTEST) -m exhaustive
	$(SAME_POINTS) tests/tasks tests/test_class_grading.py $(WITHOUT) -k "wrong or not test_answers"

mutants: .venv/installed-test  ## change every solution a little; each change must lose points
	$(VENV)/python -m autograder.proving.mutants $(TASKS)

region-mutants: .venv/installed-test  ## each solution made wrong in one region at a time; must lose points at 20 seeds
	$(VENV)/python -m autograder.proving.regions $(TASKS)

messages: .venv/installed-test  ## what check() says to every wrong answer: EXERCISE=, TASKS=
	$(VENV)/python -m tests.messages $(EXERCISE) $(TASKS)

checks-table: .venv/installed-test  ## docs/checks.md: how well each task's checks are proved
	$(VENV)/python -m tests.checks_table

devices: .venv/installed-test  ## every written answer on another device: DEVICE=cuda; torch has lazy everywhere
	$(VENV)/python -m tests.devices $(or $(DEVICE),lazy) $(EXERCISES)

.venv/installed-fuzz: .venv/installed-test
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	touch $@

fuzz: .venv/installed-fuzz  ## fuzz what reads students' bytes, each target SECONDS long; then more property tests
	$(VENV)/python -m tests.fuzz --seconds $(SECONDS)
	$(VENV)/python -m pytest tests/test_properties*.py --hypothesis-profile=fuzz

PICTURES = $(addsuffix .png,check_missed check_passed welcome prediction_committed step_through own_question)
screenshots: .venv/installed-test  ## the documents' pictures, from JupyterLab in the system's Chromium
	rm -rf build/screenshots
	$(VENV)/python -m pytest tests/test_*jupyterlab.py tests/test_workspace_in_a_browser.py -k "student or keyboard"
	cp $(addprefix build/screenshots/,$(PICTURES)) docs/pictures/

rooms: .venv/installed-test  ## docs/pictures/rooms.svg: the rooms of the engine, drawn from its imports
	$(VENV)/python -m tests.rooms

published: .venv/installed-test  ## others' courses graded by stock nbgrader and here: COURSES=, folders that hold source/
	$(VENV)/python -m tests.published_courses $(COURSES)

term: .venv/installed-test  ## a whole term of a made class, to the last export: STUDENTS=, 300 if not given
	$(VENV)/python -m tests.term $(STUDENTS)

bench: .venv/installed-test  ## docs/benchmarks.md: speed as ratios; give the machine nothing else to do meanwhile
	$(VENV)/python -m benchmarks --sizes $(or $(SIZES),20,100)

explained: .venv/installed-test  ## the table of docs/explain_gradient.md: what thousands of wrong gradients are told
	$(VENV)/python -m benchmarks.explained --write

resume: .venv/installed-test  ## a class of 1,000 killed ten times ends as one that was not; takes minutes
	$(VENV)/python -m tests.interrupted_class $(SIZES)

soak: .venv/installed-test  ## a thousand submissions of every exercise, hostile ones ten times over: hours; EACH=, ROUNDS=
	$(VENV)/python -m tests.soak --each $(or $(EACH),1000) --rounds $(or $(ROUNDS),10)

upgrade: .venv/installed-test  ## the newest torch, nbgrader, JupyterLab and pytest in .venv-upgrade: what moves
	$(VENV)/python -m tests.upgrade

SPHINX := $(VENV)/python -m sphinx -c book -j auto --keep-going --fail-on-warning --quiet
site: .venv/installed-site  ## the course as pages, with everything run: build/site/index.html
	@$(MAKE) --no-print-directory .venv-twins/installed || \
	    echo 'TensorFlow and JAX cannot be installed here, and the page of lesson 12 says so.'
	$(VENV)/python -m book.source
	$(SPHINX) -b html build/book build/site

test-site: site  ## the same, then its links, pages in a browser, accessibility
	$(VENV)/python -m pytest -n auto tests/site

site-links: .venv/installed-site  ## ask every other site that the pages link to whether it is still there
	$(VENV)/python -m book.source
	$(SPHINX) -b linkcheck build/book build/links

.venv-twins/installed: requirements.txt constraints.txt pyproject.toml
	@test -x $(TWINS)/pip || $(TRY_PYTHON)
	test -x $(TWINS)/pip || { rm -rf .venv-twins; $(PYTHON) -m venv .venv-twins; }
	$(TWINS)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -e '.[twins]'
	touch $@

twins: export PATH := $(CURDIR)/$(TWINS):$(PATH)
twins: .venv-twins/installed  ## lesson 12 with TensorFlow and JAX, in .venv-twins: 3.5 GB; RECORD=1 renews their answers
	$(if $(RECORD),$(TWINS)/python -m tests.three_systems)
	$(TWINS)/python -m pytest --noconftest tests/twins.py  # the other tests' fixtures need packages that are not there

# In most containers one is root, as whom Jupyter starts only when told to.
ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
lab: .venv/installed  ## JupyterLab on a student's work/; in a container OPTIONS=--ip=0.0.0.0, and its port 8888 published
	$(VENV)/python -m autograder lab $(ROOT) $(OPTIONS)

teach: .venv/installed  ## JupyterLab on the whole course, with nbgrader's formgrader; OPTIONS= as for lab
	$(VENV)/python -m jupyterlab $(ROOT) $(OPTIONS)

