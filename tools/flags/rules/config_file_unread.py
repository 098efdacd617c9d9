"""A configuration file that nobody reads.

## What it looks for
`--config=FILE` in one word, or a shortened `--conf FILE`.

## Why it matters
vLLM looks for the bare word `--config`; in another form the option is accepted and the file is not read: the server
starts with defaults, and without a model name with vLLM's small default model.

## Not this rule
`--config FILE` is read; that its settings are not seen here is `file-not-read`.

## What to do
Write `--config FILE` in two words; in a Kubernetes list, two items.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

FLAG = "--config"
CLAIMS = ("config.file-needs-a-space",)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the file that is not read."""
    use = subject.given(FLAG)
    if use is None or not use.words or any(word.text == FLAG for word in subject.launch.words):
        return
    message = f"vLLM reads {use.words[0]} only when {FLAG} stands as a word of its own; as written it is ignored."
    yield Finding(
        code="config-file-unread",
        severity="error",
        subject=FLAG,
        message=message,
        replacement=f"{FLAG} {use.words[0]}",
        claims=CLAIMS,
        line=use.line,
    )


RULE = Rule(name="config-file-unread", codes=("config-file-unread",), check=check, applies=">=0.11", claims=CLAIMS)
