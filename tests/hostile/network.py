"""Reaching the outside."""

from tests.hostile import attack

REFUSED = "PermissionError|FileNotFoundError|refused|Permission denied|Operation not permitted"


@attack(says=REFUSED, control=True)
def a_tcp_connection():
    import socket

    socket.create_connection(("127.0.0.1", PORT), 2).close()
    print("BREACH")


@attack(says=REFUSED, control=True)
def a_udp_datagram():
    import socket

    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"answers, please", ("127.0.0.1", UDP))
    print("BREACH")


@attack(says=REFUSED, control=True)
def a_unix_socket_by_its_path():
    import socket

    socket.socket(socket.AF_UNIX).connect(UNIX)
    print("BREACH")


@attack(says=REFUSED, control=True)
def a_unix_socket_without_a_path():
    import socket

    socket.socket(socket.AF_UNIX).connect(ABSTRACT)
    print("BREACH")


@attack(says="refused", control=True)
def a_pair_that_connects_on():
    import socket

    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            one, _ = socket.socketpair(socket.AF_UNIX, kind)
            one.connect(UNIX)
            print("BREACH")
        except OSError as error:
            print("refused", error)
    try:
        other = socket.socket(socket.AF_UNIX)
        other.connect(UNIX)
        print("BREACH")
    except OSError as error:
        print("refused", error)


@attack(says="refused|Error", control=True)
def a_connection_from_a_shell():
    import subprocess

    done = subprocess.run(["/bin/bash", "-c", f"echo x > /dev/tcp/127.0.0.1/{PORT}"], capture_output=True)
    print("BREACH" if done.returncode == 0 else "refused", done.stderr)


@attack(says="refused|Error", control=True)
def a_download():
    import urllib.request

    try:
        urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=2)
    except urllib.error.URLError as error:
        print("refused", error)
    except Exception as error:  # the listener speaks no HTTP
        print("BREACH")


@attack(says="refused")
def sockets_of_every_family():
    import socket

    for family in range(1, 46):
        for kind in (1, 2, 3, 5):
            try:
                socket.socket(family, kind)
                print("BREACH", family, kind)
            except OSError:
                pass
    print("refused")


@attack(says="refused")
def a_server_of_its_own():
    import socket

    try:
        socket.create_server(("127.0.0.1", 0))
        print("BREACH")
    except OSError as error:
        print("refused", error)


@attack(says="refused")
def names_looked_up():
    import socket

    try:
        print("BREACH", socket.gethostbyname("example.org"))
    except OSError as error:
        print("refused", error)


@attack(says="refused")
def the_kernels_interfaces():
    import os

    try:
        names = [line.split(":")[0].strip() for line in open("/proc/self/net/dev").readlines()[2:]]
    except OSError:
        names = []
    print("BREACH" if set(names) - {"lo"} else "refused")
