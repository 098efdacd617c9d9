"""A flag of the server that needs another one.

## What it looks for
Tool choice without a parser, adapters without `--enable-lora`, logs, metrics and traces without what feeds them.

## Why it matters
vLLM refuses them at start.

## Not this rule
A parser name that the release does not have is `value-refused`.

## What to do
Add the flag that the message names.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, codes, conflicts, exceeds, on_without
from tools.flags.finding import Finding
from tools.flags.rule import Rule
from tools.flags.subject import Subject


def _adapters(subject: Subject) -> bool:
    return subject.lacks("--enable-lora")


def _few_adapters(subject: Subject) -> bool:
    return subject.is_on("--enable-lora") and exceeds("--max-loras", "--max-cpu-loras")(subject)


def _untraced(subject: Subject) -> bool:
    use = subject.given("--collect-detailed-traces")
    return use is not None and use.known and use.value is not None and subject.lacks("--otlp-traces-endpoint")


def _unlogged(subject: Subject) -> bool:
    return subject.is_on("--enable-per-request-metrics") and subject.is_on("--disable-log-stats")


def _profile(subject: Subject) -> bool:
    torch = subject.key("--profiler-config", "profiler") == "torch"
    return torch and subject.key("--profiler-config", "torch_profiler_dir") is None


CONFLICTS: Final = (
    Conflict(
        "tool-choice-without-parser",
        "error",
        ">=0.8.5",
        ("--enable-auto-tool-choice",),
        on_without("--enable-auto-tool-choice", "--tool-call-parser"),
        "--enable-auto-tool-choice is refused without --tool-call-parser. Add the parser of the model.",
    ),
    Conflict(
        "adapters-without-lora",
        "error",
        ">=0.8.5",
        ("--lora-modules",),
        _adapters,
        "the adapters of --lora-modules cannot be loaded without --enable-lora. Add it.",
        "--enable-lora",
    ),
    Conflict(
        "cpu-adapters-below-active",
        "error",
        ">=0.8.5",
        ("--max-cpu-loras",),
        _few_adapters,
        "--max-cpu-loras is below --max-loras, which vLLM refuses. Raise it.",
    ),
    Conflict(
        "outputs-without-requests",
        "error",
        ">=0.11",
        ("--enable-log-outputs",),
        on_without("--enable-log-outputs", "--enable-log-requests"),
        "--enable-log-outputs is refused without --enable-log-requests. Add it.",
        "--enable-log-requests",
    ),
    Conflict(
        "metrics-without-stats",
        "error",
        ">=0.25",
        ("--enable-per-request-metrics",),
        _unlogged,
        "--enable-per-request-metrics is refused with --disable-log-stats. Take one of them out.",
    ),
    Conflict(
        "traces-without-endpoint",
        "error",
        ">=0.11.1",
        ("--collect-detailed-traces",),
        _untraced,
        "--collect-detailed-traces is refused without --otlp-traces-endpoint. Add the endpoint.",
    ),
    Conflict(
        "profile-without-folder",
        "error",
        ">=0.13",
        ("--profiler-config",),
        _profile,
        "the torch profiler is refused without torch_profiler_dir. Add the folder.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what is missing."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="front-end-needs", codes=codes(CONFLICTS), check=check)
