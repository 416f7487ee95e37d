"""`hybrid completion`: a script that completes verbs, options and their values in a shell, made of
what the verbs' own parsers say."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

from hybrid.api.options import EXPECTED
from hybrid.catalogue.choice import AUTO, known_memories, known_oracles, known_policies
from hybrid.catalogue.engines import ENGINES
from hybrid.cli.main import VERBS, parser_of
from hybrid.cli.shell_scripts import SCRIPTS, Completed, CompletedVerb
from hybrid.data import builtin_models
from hybrid.engine.api import EQUIVALENCES

EXAMPLES = """examples:
  hybrid completion bash > ~/.local/share/bash-completion/completions/hybrid
  hybrid completion zsh > "${fpath[1]}/_hybrid"
  hybrid completion fish > ~/.config/fish/completions/hybrid.fish
  source <(hybrid completion bash)           in this shell alone
"""


def _sat_solvers() -> Sequence[str]:
    """Loaded when it is needed: it loads PySAT."""
    from hybrid.encoding.sat_logic import SAT_SOLVERS

    return tuple(SAT_SOLVERS)


# What stands for a file in help texts; and the values of options whose parsers take any word.
FILES = ("FILE", "FOLDER", "PATH", "OUT", "DIR", "FILE.json", "FILE…")
VALUES: Mapping[str, Callable[[], Sequence[str]]] = {
    "model": builtin_models,
    "engine": lambda: (*ENGINES, AUTO),
    "oracle": lambda: known_oracles(AUTO),
    "policy": known_policies,
    "equivalence": lambda: EQUIVALENCES,
    "memory": known_memories,
    "sat_solver": _sat_solvers,
    "expect": lambda: EXPECTED,
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints a script that completes hybrid's verbs and options in a shell."
    parser.epilog = EXAMPLES
    parser.add_argument("shell", choices=list(SCRIPTS), help="whose script to print")


def run(args: argparse.Namespace) -> int:
    verbs = [_described(verb.name, verb.title) for verb in VERBS]
    print(SCRIPTS[args.shell](verbs), end="")
    return 0


def _described(name: str, title: str) -> CompletedVerb:
    """What a verb takes, as its parser says."""
    found: list[Completed] = []
    for action in parser_of(name)._actions:
        takes = action.nargs != 0
        choices = VALUES.get(action.dest, lambda: ())() if takes else ()
        if action.choices is not None:
            choices = tuple(map(str, action.choices))
        files = takes and (str(action.metavar) in FILES or action.dest in ("model", "file"))
        help_text = action.help or ""
        if help_text == argparse.SUPPRESS:
            continue
        told = " ".join(help_text.replace("%(default)s", str(action.default)).split())
        names = tuple(action.option_strings)
        # `--model A,B` where there may also be `--model A --model B`
        several = action.dest == "model" and isinstance(action, argparse._AppendAction)
        found.append(Completed(names, told, takes, tuple(choices), bool(files), several))
    return CompletedVerb(name, title, tuple(found))
