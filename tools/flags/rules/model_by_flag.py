"""`vllm serve --model X`, which older releases refuse.

## What it looks for
The model given by `--model` and not as the first word, in a launch by `vllm serve`.

## Why it matters
Up to 0.11.0 the parser ends with an error. From 0.11.1 on it moves the model to the front and warns that the flag will
go. `python -m vllm.entrypoints.openai.api_server` has always taken `--model`.

## Not this rule
A second model word is `word-not-taken`.

## What to do
Write the model first: `vllm serve MODEL …`.
"""

from collections.abc import Iterator

from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject

REFUSED = "<0.11.1"  # vllm/utils/__init__.py @ 0.11.0: "instead of via"; 0.11.1 logs it as a warning


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the model that is given by flag."""
    use = subject.parsed.last("--model")
    if use is None or subject.launch.module or subject.launch.command != "serve" or not subject.launch.whole:
        return
    refused = subject.runs(REFUSED) and any(word.text == "--model" for word in subject.launch.words)
    effect = "refuses" if refused else "warns of"
    model = use.words[0] if use.words else "MODEL"
    message = f"vLLM {subject.version.release} {effect} --model with `vllm serve`; write the model first."
    yield Finding(
        code="model-by-flag",
        severity="error" if refused else "note",
        subject="--model",
        message=message,
        replacement=f"vllm serve {model}",
        line=use.line,
    )


RULE = Rule(name="model-by-flag", codes=("model-by-flag",), check=check)
