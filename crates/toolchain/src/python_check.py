import sys

compile(open(sys.argv[1], "rb").read(), sys.argv[1], "exec")


def find_modules(dependencies, shadowed):
    """Lists the installed files of modules that the sources in this folder import, and the modules of this folder that
    have the name of an installed one: that one is meant."""
    import ast
    import os
    import sysconfig
    from importlib.util import find_spec

    sys.path.pop(0)
    standard = sysconfig.get_path("stdlib")
    names = set()
    for folder, _, files in os.walk("."):
        for name in files:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as source:
                    tree = ast.parse(source.read())
                for node in ast.walk(tree):
                    if isinstance(node, ast.Import):
                        names.update(alias.name.split(".")[0] for alias in node.names)
                    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                        names.add(node.module.split(".")[0])
    names.update(name.partition(".")[0] for name in os.listdir("."))
    names.discard(sys.argv[1].partition(".")[0])
    read = []
    for name in sorted(names):
        try:
            spec = find_spec(name)
        except ValueError:
            spec = None
            shadowed.append(name)
        if spec:
            shadowed.append(name)
        origin = spec and spec.origin
        if origin and os.path.isfile(origin) and (not origin.startswith(standard) or "-packages" in origin):
            read.append(origin)
            for place in spec.submodule_search_locations or ():
                for folder, _, files in os.walk(place):
                    read.extend(os.path.join(folder, file) for file in files if file.endswith((".py", ".so")))
    escaped = " ".join(path.replace(" ", "\\ ") for path in read)
    with open(dependencies, "w") as file:
        file.write("program: " + escaped + "\n")


if len(sys.argv) > 2:
    shadowed_modules = []
    try:
        find_modules(sys.argv[2], shadowed_modules)
    except Exception:
        # A source that cannot be examined imports what it finds.
        pass
    with open(sys.argv[2] + ".shadowed", "w") as shadowed_file:
        shadowed_file.write("\n".join(shadowed_modules))
