"""Scripts by which shells complete a command line: bash, zsh and fish."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

_SAFE = re.compile(r"[A-Za-z0-9_./:+,@%=-]+")
_LONGEST = 100  # characters of a help text


@dataclass(frozen=True, slots=True)
class Completed:
    """An option, or what stands without one."""

    names: tuple[str, ...]  # `-j`, `--jobs`; none: it stands without one
    help: str
    takes: bool  # a value follows
    values: tuple[str, ...]  # those that are known
    files: bool  # a file may follow
    several: bool = False  # several values may follow, with commas

    @property
    def summary(self) -> str:
        """The first part of its help."""
        first = re.split(r"[;:]\s", self.help, maxsplit=1)[0]
        return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class CompletedVerb:
    name: str
    title: str
    takes: tuple[Completed, ...]

    @property
    def options(self) -> list[Completed]:
        return [each for each in self.takes if each.names]

    @property
    def words(self) -> list[Completed]:
        """What stands without an option."""
        return [each for each in self.takes if not each.names]


def quoted(text: str) -> str:
    """For bash and zsh."""
    return text if _SAFE.fullmatch(text) else "'" + text.replace("'", "'\\''") + "'"


def bash_script(verbs: Sequence[CompletedVerb]) -> str:
    names = " ".join(verb.name for verb in verbs)
    values: list[str] = []
    options: list[str] = []
    for verb in verbs:
        for each in verb.options:
            if each.takes:
                patterns = "|".join(f"'{verb.name} {name}'" for name in each.names)
                words = f"words={quoted(' '.join(each.values))}"
                rest = f"files={int(each.files)}; several={int(each.several)}"
                values.append(f"        {patterns}) {words}; {rest};;")
        listed = " ".join(name for each in verb.options for name in each.names)
        choices = " ".join(value for each in verb.words for value in each.values)
        files = int(any(each.files for each in verb.words))
        options.append(
            f"            {verb.name}) options={quoted(listed)}; words={quoted(choices)}; "
            f"files={files};;"
        )
    return "\n".join(
        [
            "# Completes hybrid's command line in bash: hybrid completion bash",
            "_hybrid() {",
            '    local cur="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]}"',
            '    local words="" options="" files=0 several=0',
            "    COMPREPLY=()",
            '    if [ "$COMP_CWORD" -eq 1 ]; then',
            f"        COMPREPLY=($(compgen -W '{names} --help --version' -- \"$cur\"))",
            "        return",
            "    fi",
            '    case "$verb ${COMP_WORDS[COMP_CWORD-1]}" in',
            *values,
            "        *)",
            '            case "$verb" in',
            *options,
            "            esac",
            '            if [[ "$cur" == -* ]]; then words="$options"; files=0; fi;;',
            "    esac",
            '    if [ "$several" -eq 1 ] && [[ "$cur" == *,* ]]; then',
            '        COMPREPLY=($(compgen -P "${cur%,*}," -W "$words" -- "${cur##*,}"))',
            "        return",
            "    fi",
            '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
            '    if [ "$files" -eq 1 ]; then',
            "        local IFS=$'\\n'",
            "        compopt -o filenames 2>/dev/null",
            '        COMPREPLY+=($(compgen -f -- "$cur"))',
            "    fi",
            "}",
            "complete -F _hybrid hybrid",
            "",
        ]
    )


def zsh_script(verbs: Sequence[CompletedVerb]) -> str:
    listed = [f"        {quoted(f'{verb.name}:{_plain(verb.title)}')}" for verb in verbs]
    cases: list[str] = []
    for verb in verbs:
        specs = [spec for each in verb.options for spec in _zsh_options(each)]
        specs += [quoted(f"*:{_plain(each.summary)}:{_zsh_values(each)}") for each in verb.words]
        body = " \\\n".join(f"            {spec}" for spec in specs)
        cases.append(f"    {verb.name})\n        _arguments \\\n{body};;")
    return "\n".join(
        [
            "#compdef hybrid",
            "# Completes hybrid's command line in zsh: hybrid completion zsh",
            "_hybrid() {",
            "    local -a verbs",
            "    verbs=(",
            *listed,
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe verb verbs",
            "        _arguments '--help' '--version'",
            "        return",
            "    fi",
            '    local verb="${words[2]}"',
            "    shift words; (( CURRENT-- ))",
            '    case "$verb" in',
            *cases,
            "    esac",
            "}",
            'if [ "${funcstack[1]}" = _hybrid ]; then',
            '    _hybrid "$@"',
            "else",
            "    compdef _hybrid hybrid",
            "fi",
            "",
        ]
    )


def _zsh_options(option: Completed) -> list[str]:
    told = f"[{_plain(option.summary)}]"
    value = f":value:{_zsh_values(option)}" if option.takes else ""
    return [quoted(f"*{name}{told}{value}") for name in option.names]


def _zsh_values(each: Completed) -> str:
    words = " ".join(each.values)
    if each.files and words:
        return f'{{_alternative "values:value:({words})" "files:file:_files"}}'
    return f"({words})" if words else "_files" if each.files else " "


def _plain(text: str) -> str:
    """Without what means something in a description of zsh's."""
    return re.sub(r"[\[\]:\\]", " ", text)


def fish_script(verbs: Sequence[CompletedVerb]) -> str:
    names = " ".join(verb.name for verb in verbs)
    none = f"not __fish_seen_subcommand_from {names}"
    lines = [
        "# Completes hybrid's command line in fish: hybrid completion fish",
        "complete -c hybrid -f",
        f"complete -c hybrid -n {_fish(none)} -l help",
        f"complete -c hybrid -n {_fish(none)} -l version",
    ]
    lines += [
        f"complete -c hybrid -n {_fish(none)} -a {verb.name} -d {_fish(verb.title)}"
        for verb in verbs
    ]
    for verb in verbs:
        head = f"complete -c hybrid -n {_fish(f'__fish_seen_subcommand_from {verb.name}')}"
        for each in verb.takes:
            parts = [head, *map(_fish_name, each.names)]
            if each.takes:
                parts.append("-F" if each.files else "-x" if each.names else "-f")
            if each.takes and each.names and each.files:
                parts.append("-r")
            if each.values:
                parts.append(f"-a {_fish(' '.join(each.values))}")
            lines.append(" ".join([*parts, f"-d {_fish(each.summary)}"]))
    return "\n".join([*lines, ""])


def _fish_name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SCRIPTS: Mapping[str, Callable[[Sequence[CompletedVerb]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
