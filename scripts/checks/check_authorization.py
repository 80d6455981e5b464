"""The rules of authorization, read from the syntax tree; names are followed to what they were imported from.

1. Every call says what it needs, and each key that it names is in the catalogue of permission keys.
2. Every table declares its root.
3. Rows are asked for through core/scope: nobody else uses SQLAlchemy's `select`, `update`, `delete`, `insert` and
   `exists`, asks a session for a row of an Owned table by its key, or makes a scope of his own. Tables may, to declare
   how they are narrowed.
4. SQL text on Owned tables stands in files `queries.py`, as a `Statement`; what else there begins a statement stays
   in that file. The supervisor (stack) alone is free: it makes the database.
5. SQL is written whole, not put together in a function.
6. `system("why")` gives its reason as it stands; scripts/system.txt says how often it may be used, and only shrinks.

Usage: check_authorization.py [FOLDER of the package] [--update]
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import allowances
from house import ROOT

BUILDERS = {"select", "update", "delete", "insert", "exists", "table", "lambda_stmt"}
CLASSES = {"Select", "Query", "Update", "Delete", "Insert", "Exists"}  # by calling their class
REACHES = {"Scope", "System", "RowsOf", "SharedRows", "RobotRows"}
RUNNING = {
    "fetch",
    "fetchrow",
    "fetchval",
    "fetch_all",
    "execute",
    "executemany",
    "scalar",
    "scalars",
    "stream",
    "cursor",
}
VERB = re.compile(r"\s*(select|with|insert|update|delete|merge)\b", re.IGNORECASE)
SHORTEST_REASON = 8
NEEDS = {"SESSION", "FIRST", "PUBLIC"}
COUNTS = "scripts/system.txt"
Problems = list[str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    path: Path
    name: str  # dotted, without the package's
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict[str, str])  # local name: what it stands for
    handed_on: dict[str, str] = field(default_factory=dict[str, str])  # the same by dotted names of all modules

    def meaning(self, node: ast.AST) -> str:
        """The dotted name of what an expression names; "" if that was not imported and is none of this module's."""
        if isinstance(node, ast.Name):
            return self.follow(self.imports.get(node.id, ""))
        if isinstance(node, ast.Attribute):
            before = self.meaning(node.value)
            return self.follow(f"{before}.{node.attr}") if before else ""
        return ""

    def follow(self, name: str) -> str:
        """Through modules that only hand it on, such as a domain's api."""
        seen = set[str]()
        while name in self.handed_on and name not in seen:
            seen.add(name)
            name = self.handed_on[name]
        return name

    def where(self, node: ast.AST) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


def read_module(path: Path, folder: Path) -> Module:
    name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
    tree = ast.parse(path.read_text("utf-8"))
    imports = {node.name: f"{name}.{node.name}" for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {
                a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0]
                for a in node.names
            }
        elif isinstance(node, ast.ImportFrom):
            source = (node.module or "").removeprefix(f"{folder.name}.")
            imports |= {alias.asname or alias.name: f"{source}.{alias.name}" for alias in node.names}
    return Module(path, name, tree, imports)


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def tables(modules: list[Module]) -> tuple[set[str], set[str], Problems]:
    """Owned classes by dotted name, names of Owned tables, and tables without a root."""
    classes, names, problems = set[str](), set[str](), Problems()
    for module in modules:
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.ClassDef):
                continue
            assigned = {name_of(a.targets[0]): a.value for a in node.body if isinstance(a, ast.Assign)}
            if "__tablename__" not in assigned:
                continue
            if "root" not in assigned:
                problems.append(f"{module.where(node)} table {node.name} does not declare its root")
            elif isinstance(assigned["root"], ast.Call):
                classes.add(f"{module.name}.{node.name}")
                names.add(ast.literal_eval(assigned["__tablename__"]))
    return classes, names, problems


def calls(module: Module, known: set[str]) -> Problems:
    problems: Problems = []
    for node in ast.walk(module.tree):
        if not isinstance(node, Function):
            continue
        decorator = next(
            (d for d in node.decorator_list if isinstance(d, ast.Call) and name_of(d.func) == "call"), None
        )
        if decorator is None:
            continue
        needs = next((k.value for k in decorator.keywords if k.arg == "needs"), None)
        where = f"{module.where(node)} call {node.name}"
        if needs is None:
            problems.append(f"{where} does not say what it needs")
        else:
            problems += [f"{where} needs an unknown key: {key}" for key in keys(needs) if key not in known]
    return problems


def keys(needs: ast.expr) -> Iterator[str]:
    """Those that stand here; a constant of protocol/commands is checked at run time by a test."""
    for element in needs.elts if isinstance(needs, ast.Tuple) else [needs]:
        if isinstance(element, ast.Constant):
            yield str(element.value)


def builders(module: Module) -> Problems:
    """Where SQLAlchemy's own ways to rows are imported or used; names in annotations do no harm."""
    annotated = {id(part) for node in ast.walk(module.tree) for part in _annotations(node)}
    problems: Problems = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in annotated:
            meaning = module.meaning(node)
            if meaning.startswith("sqlalchemy.") and meaning.rpartition(".")[2] in BUILDERS:
                problems.append(f"{module.where(node)} {meaning} goes past the scope")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy"):
            problems += [f"{module.where(node)} imports everything of sqlalchemy" for a in node.names if a.name == "*"]
    return problems


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if annotation is not None:
            yield from ast.walk(annotation)


def ways_past(module: Module, owned: set[str]) -> Problems:
    """A row by its key, a scope that somebody made, a row that somebody made to get what belongs to it."""
    problems: Problems = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        first = module.meaning(node.args[0]) if node.args else ""
        if name_of(node.func) in {"get", "get_one", "query", "merge"} and first in owned:
            problems.append(f"{module.where(node)} asks for a row of {first} by its key, without a scope")
        meaning = module.meaning(node.func)
        if meaning.startswith("core.scope.") and meaning.rpartition(".")[2] in REACHES:
            problems.append(f"{module.where(node)} makes a scope of its own: {meaning}")
        if meaning.startswith("sqlalchemy.") and meaning.rpartition(".")[2] in CLASSES:
            problems.append(f"{module.where(node)} {meaning} goes past the scope")
        if meaning == "core.scope.rows_of":
            fresh = [a for a in node.args if isinstance(a, ast.Call) and module.meaning(a.func) in owned]
            problems += [f"{module.where(a)} rows_of a row that nobody asked for" for a in fresh]
    return problems


def texts(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Texts in there, but for docstrings; of an f-string what stands between its values."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else " x " for v in node.values]
            skipped |= {id(value) for value in node.values}
            yield node, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node, node.value


def naming(names: set[str]) -> re.Pattern[str]:
    """SQL that touches one of these tables, also in a list of several."""
    table = "|".join(sorted(names)) or "-"
    return re.compile(rf"\b(from|join|update|into|using|only)\s+([\w ]+,\s*)*({table})\b", re.IGNORECASE)


def sql_texts(module: Module, owned: re.Pattern[str]) -> Problems:
    """SQL on Owned tables outside of queries.py; there, whole statements that are no Statement."""
    if module.path.name != "queries.py":
        return [
            f"{module.where(n)} SQL of owned rows outside queries.py"
            for n, text in texts(module.tree)
            if owned.search(text)
        ]
    calls_of = [
        n for n in ast.walk(module.tree) if isinstance(n, ast.Call) and module.meaning(n.func) == "core.scope.Statement"
    ]
    inside = {id(part) for call in calls_of for part in ast.walk(call)}
    functions = (n for n in module.tree.body if isinstance(n, Function) and not n.name.startswith("_"))
    public = {id(part) for function in functions for part in ast.walk(function)}
    return [
        f"{module.where(node)} hands out SQL of owned rows that is no Statement"
        for node, text in texts(module.tree)
        if id(node) in public and id(node) not in inside and owned.search(text)
    ]


def plain_statements(modules: list[Module], owned: re.Pattern[str]) -> set[str]:
    """Constants of the files of queries that are whole statements but no Statement, by dotted name."""
    constants = set[str]()
    for module in modules:
        if module.path.name == "queries.py":
            for node in module.tree.body:
                if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call):
                    whole = any(VERB.match(text) and owned.search(text) for _, text in texts(node.value))
                    constants |= {f"{module.name}.{name_of(target)}" for target in node.targets if whole}
    return constants


def leaving(module: Module, plain: set[str]) -> Problems:
    named = (
        (node, module.meaning(node)) for node in ast.walk(module.tree) if isinstance(node, ast.Name | ast.Attribute)
    )
    return [
        f"{module.where(node)} {meaning} is no Statement, and leaves its file"
        for node, meaning in named
        if meaning in plain
    ]


def put_together(module: Module) -> Problems:
    """What is handed to the database, made on the spot."""
    problems: Problems = []
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.Call) and node.args):
            continue
        runs = isinstance(node.func, ast.Attribute) and node.func.attr in RUNNING
        if (runs or module.meaning(node.func) == "sqlalchemy.text") and _is_glued(node.args[0]):
            problems.append(f"{module.where(node)} puts SQL together")
    return problems


def _is_glued(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in {"format", "replace", "join"}
    return isinstance(node, ast.JoinedStr)


def reasons(module: Module) -> tuple[list[str], Problems]:
    """Each use of the system's reach, as `place: reason`; and those without a reason that stands there."""
    uses, problems = list[str](), Problems()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and module.meaning(node.func) == "core.scope.system":
            reason = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            uses.append(f"{module.where(node)}: {reason}")
            if not isinstance(reason, str) or len(reason) < SHORTEST_REASON:
                problems.append(f"{module.where(node)} system() without a reason")
    return uses, problems


def read_package(folder: Path) -> list[Module]:
    left_out = ("robot/", "core/migrations/")  # robots have no rows of ours
    paths = (p for p in sorted(folder.rglob("*.py")) if not str(p.relative_to(folder)).startswith(left_out))
    modules = [read_module(path, folder) for path in paths]
    handed_on = {f"{m.name}.{local}": meaning for m in modules for local, meaning in m.imports.items()}
    for module in modules:
        module.handed_on.update({name: meaning for name, meaning in handed_on.items() if name != meaning})
    return modules


def check(folder: Path) -> tuple[Problems, list[str]]:
    """What breaks a rule, and each use of `system`."""
    modules = read_package(folder)
    catalogue = next(iter(sorted(folder.rglob("keys.json"))), None)
    known = {entry["key"] for entry in json.loads(catalogue.read_text())} if catalogue else set[str]()
    classes, names, problems = tables(modules)
    owned, uses = naming(names), list[str]()
    plain = plain_statements(modules, owned)
    for module in modules:
        within, reasonless = reasons(module)
        uses += within
        problems += calls(module, known) + reasonless
        if module.name not in {"core.scope", "core.query"}:
            problems += put_together(module) if not module.name.startswith("stack.") else []
            problems += [] if module.path.name == "tables.py" else builders(module)
        if module.name not in {"core.scope", "core.context"}:
            problems += ways_past(module, classes)
        if module.path.name != "tables.py" and not module.name.startswith("stack."):
            problems += sql_texts(module, owned)
        if module.path.name != "queries.py":
            problems += leaving(module, plain)
        elif any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(module.tree)):
            problems.append(f"{module.path} asks the database itself")
        if module.path.name == "tables.py" and any(isinstance(n, ast.AsyncFunctionDef) for n in ast.walk(module.tree)):
            problems.append(f"{module.path} asks the database itself")
    return problems, uses


def main() -> int:
    folders = [Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    problems, uses = check(folders[0] if folders else ROOT / "src" / "lustra")
    if not folders:
        violations = {"src/lustra": uses}
        if "--update" in sys.argv:
            allowances.update(violations, ROOT, COUNTS)
        problems += allowances.compare(violations, ROOT, COUNTS, "uses of system()")
    print("\n".join(problems) or f"{len(uses)} statements are the system's own, all others go by a scope")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
