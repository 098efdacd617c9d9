"""What the launch as written does not show.

## What it looks for
A YAML `false` that vLLM drops; JSON that a shell would take apart and that was put together again; variables without
a value; files that the launch reads and that were not given; a value that only the cluster would know.

## Why it matters
What was not seen was not checked. JSON without quotes reaches vLLM in pieces, and the start ends.

## Not this rule
JSON that does not parse is `value-refused`.

## What to do
Quote the JSON; give the file too (`ask flags check FILE`); set the variable.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding, Severity
from tools.flags.rule import Rule
from tools.flags.subject import Subject

CODES = ("json-broken-by-shell", "variable-unset", "file-not-read", "yaml-false-dropped")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what the reader noted, and the configuration file that was not read."""
    for note in subject.launch.notes:
        severity: Severity = "warning" if note.code == "yaml-false-dropped" else "note"
        yield Finding(code=note.code, severity=severity, subject=note.subject, message=note.message, line=note.line)
    config = subject.given("--config")
    if config and config.words:
        message = f"the settings in {config.words[0]} were not seen; check that file too."
        yield Finding(code="file-not-read", severity="note", subject="--config", message=message, line=config.line)


RULE = Rule(name="not-seen", codes=CODES, check=check)
