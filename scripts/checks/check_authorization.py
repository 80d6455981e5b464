"""The two authorization rules, read from the code.

1. Every call says what it needs, and each key that it names is in the catalogue of permission keys.
2. Every table declares its root, and a function of a domain that reads or writes rows of an Owned table, by the mapper
   or by plain SQL, narrows by scope: it calls a function whose name says so (SCOPES below) or asks for `<@` itself; or
   it is handed the scope (a parameter of the type `Where`, or a row of an Owned table that its caller found); or it
   says in a comment or its docstring why not: `Unscoped: <reason>`. Who makes a `Where` must narrow it itself.

Usage: check_authorization.py [FOLDER of the package]
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SCOPES = {
    "visible",
    "visible_devices",
    "readable",
    "within",
    "shared",
    "narrowed",
    "seen",
    "stamped",
    "own",
    "owned",
    "find",
    "where_visible",
    "load_device",
    "load_owned",
}
TOUCHING = {"select", "update", "delete", "insert", "get"}
UNSCOPED = re.compile(r"unscoped: \S", re.IGNORECASE)
NEEDS = {"SESSION", "FIRST", "PUBLIC"}
Problems = list[str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def tables(folder: Path) -> tuple[dict[str, str], dict[str, str], Problems]:
    """Owned classes and tables by file, and tables without a root."""
    classes, names, problems = {}, {}, []
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ClassDef):
                continue
            assigned = {name_of(a.targets[0]): a.value for a in node.body if isinstance(a, ast.Assign)}
            if "__tablename__" not in assigned:
                continue
            if "root" not in assigned:
                problems.append(f"{path}:{node.lineno} table {node.name} does not declare its root")
            elif isinstance(assigned["root"], ast.Call):
                classes[node.name] = str(path)
                names[ast.literal_eval(assigned["__tablename__"])] = str(path)
    return classes, names, problems


def calls(folder: Path, known: set[str]) -> Problems:
    problems: Problems = []
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, Function) and any(is_call(d) for d in node.decorator_list)):
                continue
            decorator = next(d for d in node.decorator_list if is_call(d))
            assert isinstance(decorator, ast.Call)
            needs = next((k.value for k in decorator.keywords if k.arg == "needs"), None)
            where = f"{path}:{node.lineno} call {node.name}"
            if needs is None:
                problems.append(f"{where} does not say what it needs")
            else:
                problems += [f"{where} needs an unknown key: {key}" for key in keys(needs) if key not in known]
    return problems


def is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) == "call"


def keys(node: ast.expr) -> Iterator[str]:
    for element in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(element, ast.Constant):
            yield str(element.value)
        elif name_of(element) not in NEEDS:
            yield from ()  # a constant of protocol/commands, checked at run time by a test


def functions(tree: ast.Module) -> Iterator[Function]:
    """Outermost functions and methods: what they define inside belongs to them."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (inner for inner in node.body if isinstance(inner, Function))


def sql_of(node: ast.AST, pattern: re.Pattern[str]) -> bool:
    """Plain SQL on an Owned table stands in there. A text that is a statement of its own is prose, no SQL."""
    prose = {id(n.value) for n in ast.walk(node) if isinstance(n, ast.Expr)}
    texts = (n for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return any(id(n) not in prose and pattern.search(str(n.value)) for n in texts)


def statements(tree: ast.Module, pattern: re.Pattern[str]) -> set[str]:
    """Names of the module's constants that hold such SQL."""
    assigned = (node for node in tree.body if isinstance(node, ast.Assign) and sql_of(node, pattern))
    return {name_of(target) for node in assigned for target in node.targets}


def touches(function: ast.AST, classes: dict[str, str], constants: set[str], pattern: re.Pattern[str]) -> bool:
    """A statement is built on an Owned class or table."""
    if sql_of(function, pattern):
        return True
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in constants:
            return True
        if isinstance(node, ast.Call) and name_of(node.func) in TOUCHING:
            named = {name_of(n) for a in node.args for n in ast.walk(a) if isinstance(n, ast.expr)}
            if named & classes.keys():
                return True
    return False


def scoped(function: Function, source: str, classes: dict[str, str]) -> bool:
    called = {name_of(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    if called & SCOPES or "<@" in source or UNSCOPED.search(source):
        return True
    handed = {name_of(argument.annotation) for argument in function.args.args if argument.annotation}
    return "Where" not in called and bool(handed & ({"Where"} | classes.keys()))


def selects(folder: Path, classes: dict[str, str], names: dict[str, str]) -> Problems:
    pattern = re.compile(rf"\b(from|join|update|into)\s+({'|'.join(sorted(names))})\b", re.IGNORECASE)
    problems: Problems = []
    for path in sorted((folder / "domains").rglob("*.py")):
        text = path.read_text()
        if path.name == "tables.py":
            continue
        tree = ast.parse(text)
        constants = statements(tree, pattern)
        for function in functions(tree):
            source = ast.get_source_segment(text, function) or ""
            touched = touches(function, classes, constants, pattern)
            if function.name not in SCOPES and touched and not scoped(function, source, classes):
                problems.append(f"{path}:{function.lineno} {function.name} reads owned rows without a scope")
    return problems


def check(folder: Path) -> Problems:
    catalogue = folder / "domains" / "account" / "keys.json"
    known = {entry["key"] for entry in json.loads(catalogue.read_text())} if catalogue.exists() else set()
    classes, names, problems = tables(folder)
    return problems + calls(folder, known) + selects(folder, classes, names)


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "src" / "lustra"
    problems = check(folder)
    print("\n".join(problems) or "authorization: every call has needs, every owned row is read through its scope")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
