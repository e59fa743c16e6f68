"""Writes manual pages in mdoc(7) from the help of the programs.

Usage: manual.py FOLDER DATE PROGRAM...

DATE is the day of the release, for example 2026-11-22. The help is read by --experimental-dump-help.
Each program and each of its subcommands gets a page: paidline.1, paidline-run.1.
"""

import datetime
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

FILES = [
    ("/etc/paidline/NAME/pipeline.yaml", "The pipeline of the service paidline@NAME."),
    ("/var/lib/paidline/NAME", "Databases and pages of the service."),
    ("/usr/share/doc/paidline/examples", "An example of a pipeline and of a catalogue."),
]


def main(folder, date, *programs):
    date = datetime.date.fromisoformat(date)
    roots = [described(program) for program in programs]
    names = [name for root in roots for name, _, _ in pages_of(root)]
    statuses = sections(roots[0])["EXIT STATUSES"]
    for root in roots:
        for name, words, command in pages_of(root):
            others = [other for other in names if is_near(name, other)]
            text = page(words, name, command, date, statuses, others, command is roots[0])
            (Path(folder) / f"{name}.1").write_text(text)


def described(program):
    """Reads the help of a program and of its subcommands."""
    said = subprocess.run(
        [program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(said)
    if root["serializationVersion"] != 0:
        raise SystemExit(f"{program}: expected help of version 0; found {root['serializationVersion']}")
    return root["command"]


def pages_of(command, above=()):
    """Yields the name of each page, the words of the command that it describes, and the command."""
    words = (*above, command["commandName"])
    yield "-".join(words), words, command
    for below in command.get("subcommands", []):
        if below["commandName"] != "help":
            yield from pages_of(below, words)


def is_near(name, other):
    """Whether one page refers to another: all refer to paidline, which refers to all."""
    return name != other and "paidline" in (name, other)


def sections(command):
    """Splits the discussion of a command into lines, keyed by heading.

    A heading is a line in capitals; the lines before the first heading have the key "".
    """
    found = {"": []}
    heading = ""
    for line in command.get("discussion", "").split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            heading = line
            found[heading] = []
        else:
            found[heading].append(line)
    return found


def page(words, name, command, date, statuses, others, has_files):
    """Formats a page."""
    parts = sections(command)
    invocation = [f".Nm {words[0]}"] + [f".Cm {word}" for word in words[1:]]
    arguments = [it for it in command.get("arguments", []) if it["shouldDisplay"]]
    positionals = [it for it in arguments if it["kind"] == "positional"]
    options = [it for it in arguments if it["kind"] != "positional"]

    lines = [f".Dd {date:%B} {date.day}, {date.year}", f".Dt {name.upper()} 1", ".Os"]
    lines += [".Sh NAME", f".Nm {name}", f".Nd {escaped(command['abstract'].rstrip('.?'))}"]
    lines += [".Sh SYNOPSIS"] + invocation
    lines += [".Op Ar options"] if options else []
    lines += [synopsis(it) for it in positionals]
    subcommands = [it for it in command.get("subcommands", []) if it["commandName"] != "help"]
    lines += [".Ar command"] if subcommands else []
    lines += [".Sh DESCRIPTION"] + prose(command["abstract"])
    more = prose("\n".join(parts[""]))
    lines += [".Pp"] + more if more else []
    if subcommands:
        lines += [".Pp", "The commands are:", ".Bl -tag -width Ds"]
        for it in subcommands:
            lines += [f".It Xr {name}-{it['commandName']} 1"] + prose(it["abstract"])
        lines += [".El"]
    if positionals or options:
        lines += [".Bl -tag -width Ds"]
        for it in positionals + options:
            lines += [".It " + tag(it)] + prose(it.get("abstract", "")) + choices(it)
            more = prose(it.get("discussion", ""))
            lines += [".Pp"] + more if more else []
        lines += [".El"]
    if has_files:
        lines += [".Sh FILES", ".Bl -tag -width Ds"]
        lines += [line for path, text in FILES for line in (f".It Pa {path}", text)] + [".El"]
    lines += [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for number, meaning in (line.split(maxsplit=1) for line in statuses if line.strip()):
        lines += [f".It {number}"] + prose(meaning[0].upper() + meaning[1:] + ".")
    lines += [".El"]
    examples = parts.get("EXAMPLES", parts.get("EXAMPLE"))
    if examples:
        shown = textwrap.dedent("\n".join(examples)).strip("\n").split("\n")
        lines += [".Sh EXAMPLES", ".Bd -literal"] + [guarded(escaped(line)) for line in shown] + [".Ed"]
    if others:
        lines += [".Sh SEE ALSO"]
        lines += [f".Xr {other} 1 ," for other in sorted(others)]
        lines[-1] = lines[-1].removesuffix(" ,")
    return "\n".join(lines) + "\n"


def synopsis(argument):
    """Formats a positional argument for the synopsis."""
    text = f"Ar {argument['valueName']}" + " ..." * argument["isRepeating"]
    return f".Op {text}" if argument["isOptional"] else f".{text}"


def tag(argument):
    """Formats the name of an argument or option for the list of options."""
    if argument["kind"] == "positional":
        return f"Ar {argument['valueName']}"
    names = [
        "Fl " + ("-" if name["kind"] == "long" else "") + name["name"]
        for name in sorted(argument["names"], key=lambda name: name["kind"], reverse=True)]
    value = f" Ar {argument['valueName']}" if argument["kind"] == "option" else ""
    return " , ".join(names) + value


def choices(argument):
    """Formats the allowed values of an option, unless its abstract has them, and its default."""
    lines = []
    values = argument.get("allValues", [])
    if not all(value in argument.get("abstract", "") for value in values):
        lines += prose("One of " + ", ".join(values) + ".")
    if "defaultValue" in argument:
        lines += prose(f"Default: {argument['defaultValue']}.")
    return lines


def prose(text):
    """Wraps text; each sentence begins on a new line, as mdoc recommends."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if lines and paragraph:
            lines.append(".Pp")
        for sentence in re.split(r"(?<=[.?!])\s+(?=[A-Z])", " ".join(paragraph.split())):
            lines += [guarded(line) for line in textwrap.wrap(
                escaped(sentence), 78, break_long_words=False, break_on_hyphens=False)]
    return lines


def escaped(text):
    """Escapes the characters that are special in roff."""
    return text.replace("\\", "\\e").replace("`", "\\(ga")


def guarded(line):
    """Protects a line that roff would read as a request."""
    return "\\&" + line if line.startswith((".", "'")) else line


if __name__ == "__main__":
    main(*sys.argv[1:])
