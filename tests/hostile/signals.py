"""Cells that hear no interrupt, and cells that signal others."""

from tests.hostile import attack

STOPPED = "OutOfTime|KeyboardInterrupt"


@attack(says=STOPPED)
def ignoring_the_interrupt():
    import signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


@attack(says=STOPPED)
def blocking_all_signals():
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass


@attack(says=STOPPED)
def stopping_itself():
    import os
    import signal

    os.kill(os.getpid(), signal.SIGSTOP)


@attack("path_sum", says="did not finish|ended the whole process", path_sum=0)
def an_answer_deaf_to_the_interrupt():
    def path_sum(edges, start, end):
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            pass


@attack(says="PermissionError|ProcessLookupError")
def killing_its_parent():
    import os
    import signal

    os.kill(os.getppid(), signal.SIGKILL)
    print("BREACH")


@attack(says="PermissionError|ProcessLookupError", control=True)
def signalling_the_grader():
    import os

    os.kill(GRADER, 0)
    print("BREACH")


@attack(says="refused", control=True)
def signalling_every_process_by_number():
    import os

    reached = 0
    for pid in range(1, 40000):
        try:
            os.kill(pid, 0)
            reached += pid != os.getpid()
        except OSError:
            pass
    print("BREACH" if reached else "refused")


@attack(says="SIGKILL|did not stop|PermissionError")
def killing_its_own_group():
    import os
    import signal

    os.killpg(0, signal.SIGKILL)


@attack(says="ended the whole process|OutOfTime|ProcessLookupError|PermissionError|done")
def killing_everybody():
    import os
    import signal

    os.kill(-1, signal.SIGKILL)
    print("done")


@attack(says="done")
def an_alarm_for_later():
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 60)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("done")


@attack(says="ended the whole process")
def a_message_on_every_descriptor_at_death():
    import os
    import signal

    for fd in range(3, 64):
        try:
            os.close(fd)
        except OSError:
            pass
    os.kill(os.getpid(), signal.SIGTERM)
