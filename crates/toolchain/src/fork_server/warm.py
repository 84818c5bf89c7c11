"""A fork server for Python programs: the interpreter starts, and the program is compiled, once.

Started as `python warm.py PROGRAM [ARGUMENT...]`, with the number of a socket in an environment variable. A request
comes with the three standard streams. For each request it forks one process after the other, as children of its own
parent, and runs the program there. `linked.c` serves the same requests and explains them.
"""


def _serve_requests():
    """Serves requests. Returns only in a forked copy."""
    import ctypes
    import errno
    import os
    import platform
    import resource
    import signal
    import socket
    import struct
    import sys

    clone = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    clone_parent = 0x8000
    libc = ctypes.CDLL(None, use_errno=True)
    connection = socket.socket(fileno=int(os.environ.pop("REBUT_FORK_SERVER")))
    os.environ.pop("GLIBC_TUNABLES", None)
    os.environ.pop("LD_PRELOAD", None)
    # True if `in_place.c` was loaded as a library.
    has_library = hasattr(libc, "rebut_copy_is_made")
    if has_library:
        libc.rebut_server_is_ready()
    streams = [0, 1, 2]
    while True:
        for stream in streams:
            os.close(stream)
        message, streams, _, _ = socket.recv_fds(connection, 24, 3)
        if streams != [0, 1, 2]:
            os._exit(0)
        # The kernel holds this call until a copy is wanted. It fails if the next copy gets other streams.
        pid = 1
        while pid > 0:
            pid = libc.syscall(clone, clone_parent | signal.SIGCHLD, 0, 0, 0, 0)
        if pid < 0 and ctypes.get_errno() == errno.ECANCELED:
            continue
        if pid < 0:
            os._exit(0)
        os.setsid()
        libc.prctl(1, int(signal.SIGKILL), 0, 0, 0)
        connection.close()
        seconds, _, is_in_place = struct.unpack("qqq", message)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if has_library:
            libc.rebut_copy_is_made(int(is_in_place))
        # The program imports it, which has seeded it for all copies. Runs in place begin where random bytes are read.
        if "random" in sys.modules:
            sys.modules["random"].seed()
        return


def _warm_up(tree):
    """Imports the modules of the standard library that the program imports: importing them has no other effect."""
    import ast
    import importlib
    import sys

    for node in tree.body:
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
        for name in names:
            if name.split(".")[0] in sys.stdlib_module_names:
                importlib.import_module(name)


def _prepare():
    import ast
    import os
    import sys
    import types

    path = sys.argv[1]
    with open(path, "rb") as file:
        text = file.read()
    code = compile(text, path, "exec")
    # Other modules import this one, too. Without it here, a copy that needs it imports and seeds it anew.
    sys.modules.pop("random", None)
    _warm_up(ast.parse(text, path))
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(path)
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    return code, main.__dict__


def _run(code, names):
    """Runs the program. Returns its exit status, determined as the interpreter does."""
    import sys

    try:
        exec(code, names)
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 255
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        kind, error, trace = sys.exc_info()
        error.__traceback__ = trace.tb_next
        sys.excepthook(kind, error, trace.tb_next)
        return 1


def _end(status):
    """Exits as the interpreter does, but without tearing it down, which takes longer than all other steps together."""
    import atexit
    import os
    import sys
    import threading

    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        status = 120
    os._exit(status)


def _serve():
    import gc

    code, names = _prepare()
    import atexit
    import threading

    gc.collect()
    # Objects created before the first run are never examined again, so their memory stays shared.
    gc.freeze()
    _serve_requests()
    _end(_run(code, names))


_serve()
