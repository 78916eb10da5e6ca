"""Cells that end their own process, start too many others, or leave some behind."""

from tests.hostile import attack


@attack(says="exited with status 0")
def leaving_at_once():
    import os

    os._exit(0)


@attack(says="SystemExit")
def sys_exit():
    import sys

    sys.exit(0)


@attack(says="SIGSEGV")
def a_segmentation_fault():
    import ctypes

    ctypes.string_at(0)


@attack(says="SIGABRT")
def abort():
    import os

    os.abort()


@attack("partials", says="SystemExit", partials=0)
def sys_exit_in_an_answer():
    def partials(x, w, b):
        raise SystemExit(0)


@attack("partials", says="ended the whole process", partials=0)
def leaving_in_an_answer():
    def partials(x, w, b):
        import os

        os._exit(0)


@attack("partials", says="KeyboardInterrupt|did not finish|raised", partials=0)
def an_interrupt_of_its_own():
    def partials(x, w, b):
        raise KeyboardInterrupt


@attack(says="exited|ended the whole process|SystemExit|done")
def leaving_in_a_thread_later():
    import os
    import threading

    threading.Timer(0.2, os._exit, [0]).start()
    import time

    time.sleep(1)


@attack(says="Resource temporarily unavailable|BlockingIOError|OutOfTime|ended the whole process")
def fork_bomb():
    import os

    while True:
        os.fork()


@attack(says="refused|OutOfTime|ended the whole process")
def five_hundred_processes():
    import os
    import time

    count = 0
    try:
        for _ in range(500):
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
            count += 1
        print("BREACH")
    except OSError:
        print("refused after", count)


@attack(says="can't start new thread|OutOfTime")
def thread_bomb():
    import threading
    import time

    for _ in range(2000):
        threading.Thread(target=time.sleep, args=[600], daemon=True).start()
    print("BREACH")


@attack(says="done")
def a_daemon_that_outlives():
    import os
    import signal

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(256):
                try:
                    os.close(fd)
                except OSError:
                    pass
            os.execv("/bin/sh", ["/bin/sh", "-c", "sleep 600; : " + TOKEN])
        os._exit(0)
    os.wait()
    print("done")


@attack(says="done")
def shell_commands_left_behind():
    import subprocess

    for _ in range(5):
        subprocess.Popen(["/bin/sh", "-c", "nohup sleep 600; : " + TOKEN], start_new_session=True)
    print("done")


@attack(says="done")
def zombies():
    import os

    for _ in range(30):
        if os.fork() == 0:
            os._exit(0)
    print("done")


@attack(says="ValueError|PermissionError")
def a_higher_limit_on_processes():
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (100000, 100000))
    print("BREACH")


@attack(says="PermissionError")
def ahead_of_all_others():
    import os

    os.setpriority(os.PRIO_PROCESS, 0, -20)
    print("BREACH")


@attack(says="No such file|not permitted|Permission denied|exit")
def a_shell_that_deletes_everything():
    get_ipython().system("rm -rf " + FOLDER + " $HOME /tmp/* 2> /dev/null ; echo exit $?")
