"""Writing, replacing and linking outside the scratch folder."""

from tests.hostile import attack

REFUSED = "PermissionError|FileNotFoundError|Read-only file system|refused|No such file"


@attack(says=REFUSED, control=True)
def writing_beside_the_grader():
    open(FOLDER + "/planted", "w").write("x")
    print("BREACH")


@attack(says=REFUSED, control=True)
def changing_the_gradebook():
    open(CANARY, "a").write("30 of 30")
    print("BREACH")


@attack(says=REFUSED, control=True)
def removing_the_gradebook():
    import os

    os.remove(CANARY)
    print("BREACH")


@attack(says=REFUSED + "|in the scratch folder at most")
def a_gradebook_made_in_its_place():
    import os

    os.makedirs(os.path.dirname(CANARY), exist_ok=True)
    open(CANARY, "w").write("30 of 30")
    print("in the scratch folder at most")  # which is its /tmp; the scene looks whether its own file changed


@attack(says=REFUSED + "|Operation not permitted")
def changing_the_package():
    import autograder

    open(autograder.__file__, "a").write("\n")
    print("BREACH")


@attack(says=REFUSED)
def a_module_planted_for_the_next_process():
    import sysconfig

    open(sysconfig.get_path("purelib") + "/sitecustomize.py", "w").write("raise SystemExit")
    print("BREACH")


@attack(says=REFUSED)
def a_check_planted_in_the_package():
    import os

    import autograder

    path = os.path.join(os.path.dirname(autograder.__file__), "checks")
    os.makedirs(path, exist_ok=True)
    open(path + "/test_99_mine.py", "w").write("raise SystemExit")
    print("BREACH")


@attack(says=REFUSED, control=True)
def a_link_to_the_gradebook():
    import os

    os.symlink(CANARY, "link-" + TOKEN)
    print("BREACH", open("link-" + TOKEN).read())


@attack(says=REFUSED, control=True)
def a_second_name_for_the_gradebook():
    import os

    os.link(CANARY, FOLDER + "/second")
    print("BREACH")


@attack(says=REFUSED)
def up_and_up_from_the_scratch_folder():
    open("../" * 40 + CANARY.lstrip("/")).read()
    print("BREACH")


@attack(says="done")
def the_machines_temporary_folders():
    import os

    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", "/root"):
        try:
            open(os.path.join(folder, "planted-" + TOKEN), "w").write("x")
        except OSError:
            pass
    print("done")


@attack(says=REFUSED + "|Operation not permitted")
def a_device_of_its_own():
    import os
    import stat

    os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    print("BREACH")


@attack(says=REFUSED + "|Operation not permitted")
def another_root():
    import os

    os.mkdir("jail")
    os.chroot("jail")
    print("BREACH")


@attack(says="done")
def its_own_home_taken_away():
    import os
    import shutil

    home = os.getcwd()
    os.makedirs("deep/" + "x/" * 100)
    shutil.rmtree(home, ignore_errors=True)
    os.chmod(home, 0)
    print("done")


@attack(says="done")
def a_folder_that_nobody_can_remove():
    import os

    for _ in range(1000):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    print("done")


@attack(says="refused")
def its_own_modules_in_front_of_the_graders():
    for name in ("torch", "json", "autograder", "pytest", "nbformat", "zlib"):
        open(name + ".py", "w").write("raise SystemExit(0)")
    open("nbgrader_config.py", "w").write("raise SystemExit(0)")
    open("pytest.ini", "w").write("[pytest]\naddopts = --collect-only")
    open("conftest.py", "w").write("raise SystemExit(0)")
    print("refused")
