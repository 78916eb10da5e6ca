"""Functions of the kernel that lead out; each by number, as C code would call it."""

import pyseccomp

from tests.hostile import attack_cell

CELL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(4096)
ctypes.memset(page, 0, 4096)
got = libc.syscall({number}, {arguments})
if {number} in CLONES and got == 0:
    os._exit(0)
error = ctypes.get_errno()
print("BREACH" if got >= 0 else "refused", got, os.strerror(error))
"""
CALLS = {
    "io_uring": ("io_uring_setup", "4, page"),
    "userfaultfd": ("userfaultfd", "1"),
    "tracing_itself_from_a_child": ("ptrace", "16, os.getppid(), 0, 0"),
    "mounting": ("mount", 'b"none", b"/tmp", b"tmpfs", 0, None'),
    "unmounting": ("umount2", 'b"/proc", 2'),
    "moving_the_root": ("pivot_root", 'b".", b"."'),
    "a_new_mount_by_descriptor": ("fsopen", 'b"tmpfs", 0'),
    "a_user_namespace": ("unshare", "0x10000000"),
    "a_network_namespace": ("unshare", "0x40000000"),
    "a_clone_into_a_user_namespace": ("clone", "0x10000011, 0, 0, 0, 0"),
    "its_parents_namespace": ("setns", "0, 0"),
    "the_session_keyring": ("keyctl", "0, -3, 1"),
    "a_key": ("add_key", 'b"user", b"x", b"y", 1, -3'),
    "a_program_in_the_kernel": ("bpf", "0, page, 128"),
    "counters_of_performance": ("perf_event_open", "page, 0, -1, -1, 0"),
    "a_file_by_its_handle": ("open_by_handle_at", "-100, page, 0"),
    "its_parents_descriptors": ("pidfd_open", "os.getppid(), 0"),
    "its_parents_memory": ("process_vm_writev", "os.getppid(), page, 1, page, 1, 0"),
    "a_kernel_module": ("init_module", 'page, 4096, b""'),
    "another_kernel": ("kexec_load", "0, 0, page, 0"),
    "another_clock": ("clock_settime", "0, page"),
    "another_personality": ("personality", "0x0040000"),
    "the_kernels_messages": ("syslog", "3, page, 100"),
    "watching_all_files": ("fanotify_init", "0, 0"),
    "a_message_queue": ("mq_open", 'b"queue", 0o102, 0o600, 0'),
    "semaphores_for_everybody": ("semget", "0x5EED, 1, 0o1666"),
}
"""Name of the attack: the call and its arguments."""

SURFACE = """
import ctypes, os, resource, socket
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(8192)
ctypes.memset(page, 0, 8192)
one, other = socket.socketpair()
one.setblocking(False), other.setblocking(False)
a = one.fileno()
held = 0
for name, number, arguments in [{calls}]:
    got = libc.syscall(number, *arguments)
    if got == 0 and name == "clone":
        os._exit(0)
    if got >= 0 or ctypes.get_errno() not in (1, 38):
        print("BREACH", name, got, os.strerror(ctypes.get_errno()))
    else:
        held += 1
if resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] > 64:
    print("BREACH: signals that wait")
print("held", held)
"""
"""What nobody needs; most of it is charged to a user whom sandboxes share with each other, and perhaps with you."""
UNNEEDED = {
    "timer_create": "1, None, page",
    "epoll_create1": "0",
    "signalfd4": "-1, page, 8, 0",
    "timerfd_create": "1, 0",
    "setsockopt": "a, 1, 26, page, 16",
    "sendmsg": "a, page, 0",
    "recvmsg": "a, page, 0x40",
    "sendto": "a, page, 1, 1, None, 0",
    "recvfrom": "a, page, 1, 0x41, None, None",
    "rt_sigqueueinfo": "os.getpid(), 0, page",
    "clone": "0x8011, 0, 0, 0, 0",
    "fcntl": "a, 6, page",
    "madvise": "page, 0, 12",
    "mlock": "page, 1",
    "membarrier": "0, 0, 0",
    "mincore": "page, 0, page",
    "futex_waitv": "page, 0, 0, 0, 0",
    "setpriority": "0, 0, 19",
    "capget": "page, None",
}

_arch = pyseccomp.system_arch()
_clones = [pyseccomp.resolve_syscall(_arch, name) for name in ("clone", "clone3")]
for _name, (_call, _arguments) in CALLS.items():
    _number = pyseccomp.resolve_syscall(_arch, _call)
    if _number > 0:
        _source = CELL.replace("CLONES", repr(_clones)).format(number=_number, arguments=_arguments)
        attack_cell(
            "system_calls", _name, _source, says="refused -1 (Operation not permitted|Function not implemented)"
        )
_calls = [(name, pyseccomp.resolve_syscall(_arch, name), arguments) for name, arguments in UNNEEDED.items()]
_calls = [(name, number, arguments) for name, number, arguments in _calls if number > 0]
_text = ", ".join(f"({name!r}, {number}, ({arguments},))" for name, number, arguments in _calls)
attack_cell("system_calls", "what_nobody_needs", SURFACE.format(calls=_text), says=f"held {len(_calls)}")
