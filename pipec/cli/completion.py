"""Completion scripts for shells, made from the parser of the command line."""

from __future__ import annotations

import argparse

from pipec.cli.installation import applications

SHELLS = ("bash", "zsh", "fish")


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Returns the script that completes commands, options and files: `eval "$(pipec completion bash)"`."""
    words = {name: options_of(sub) for name, sub in commands_of(parser).items()}
    if shell == "fish":
        lines = [f"complete -c pipec -n __fish_use_subcommand -f -a '{' '.join(words)}'"]
        for name, options in words.items():
            lines += [f"complete -c pipec -n '__fish_seen_subcommand_from {name}' {_fish(word)}" for word in options]
        return "\n".join(lines)
    cases = "\n".join([f"    {name}) words='{' '.join(options)}' ;;" for name, options in words.items()])
    script = f"""_pipec() {{
  local words
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words='{" ".join(words)}' ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words='{" ".join(words)}'
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _pipec pipec"""
    return script if shell == "bash" else f"autoload -U +X bashcompinit && bashcompinit\n{script}"


def _fish(word: str) -> str:
    return f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" if word.startswith("-") else f"-a {word}"


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Returns the parsers of the commands by name."""
    actions = parser._subparsers._group_actions if parser._subparsers else []
    return {name: sub for action in actions for name, sub in dict(action.choices or {}).items()}


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """Returns the options of a command, and the words that its arguments may be."""
    words: list[str] = []
    for action in parser._actions:
        words += [*action.option_strings, *(str(choice) for choice in action.choices or ())]
        if action.dest == "program":
            words += applications()
    return words
