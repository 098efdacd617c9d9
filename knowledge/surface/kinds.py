"""The kinds of facts, each in a file of its own, and what is known of a fact of each kind."""

from typing import Any, Literal

import msgspec

Kind = Literal[
    "flags",
    "env",
    "metrics",
    "config_keys",
    "moe_configs",
    "bench",
    "bench_flags",
    "device_defaults",
    "levels",
]
KINDS: tuple[Kind, ...] = (
    "flags",
    "env",
    "metrics",
    "config_keys",
    "moe_configs",
    "bench",
    "bench_flags",
    "device_defaults",
    "levels",
)


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what is known of a fact; closed, so that data and code cannot drift apart."""


class Deprecation(_Facts, frozen=True):
    """What the release announces.

    Attributes:
        announced: True when it says no more than that.
        removal: The release in which it is said to go; not reliable, some are accepted after it.
        mentions: Names that the announcement holds, which are often what to use instead.
    """

    announced: bool = True
    removal: str = ""
    mentions: tuple[str, ...] = ()


class FlagFacts(_Facts, frozen=True):
    """A flag of `vllm serve`.

    Attributes:
        spellings: Every spelling that sets it; the first is its name.
        negations: Every spelling that switches it off (or on, for a `--disable-x`).
        rewritten: Short forms that are rewritten into it before parsing; `-O` stands for `-O0` to `-O3`.
        type: What its value is parsed with: `bool`, `int`, `str`, `json`, `human_readable_int` (`8k`)
        default: The default that the parser shows; None often means that it is decided later. A dict holds an
            enum member (`enum`, `value`), an object built from its defaults (`instance`), or an expression
            that only running vLLM would tell (`computed`).
        choices: The only values that are accepted.
        more_choices: Whether a registry or the platform adds others.
        suggested: Values that are known to work where any text is accepted.
        members: The names of the members of the enum that it is parsed into.
        nargs: How many values it takes, as argparse says it: None is one, 0 is none.
        group: The section of the help in which it stands.
        field: The config class and field behind it.
        config: The config class whose keys its JSON may hold.
        deprecated: What the release announces about it.
        guards: Conditions under which alone it is registered.
    """

    spellings: tuple[str, ...]
    negations: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    type: str = "str"
    default: Any = None
    choices: tuple[Any, ...] | None = None
    more_choices: bool = False
    suggested: tuple[Any, ...] = ()
    members: tuple[str, ...] = ()
    nargs: int | str | None = None
    group: str = ""
    field: str = ""
    config: str = ""
    deprecated: Deprecation | None = None
    guards: tuple[str, ...] = ()

    @property
    def all_spellings(self) -> tuple[str, ...]:
        """Every spelling that the parser accepts."""
        return self.spellings + self.negations


class EnvFacts(_Facts, frozen=True):
    """An environment variable.

    Attributes:
        default: What vLLM takes when it is not set.
        choices: The only values that are accepted.
        outside_table: Whether a file reads it past vLLM's own table of variables.
        deprecated: What the release announces about it.
    """

    default: Any = None
    choices: tuple[Any, ...] | None = None
    outside_table: bool = False
    deprecated: Deprecation | None = None


class MetricFacts(_Facts, frozen=True):
    """A Prometheus family; a counter's samples end in `_total` besides.

    Attributes:
        kind: Its type; empty when it could not be seen.
        labels: Its label names, when visible.
        guards: Conditions under which alone it is exported.
        hidden: Whether it shows only with `--show-hidden-metrics-for-version`.
        deprecated: What its documentation announces.
    """

    kind: str = ""
    labels: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    hidden: bool = False
    deprecated: Deprecation | None = None


class KeyFacts(_Facts, frozen=True):
    """A key of a JSON flag, named `Class.key`.

    Attributes:
        type: The kinds of value it takes.
        default: As for a flag.
        choices: The only values that are accepted.
        members: The names of the members of its enum.
        config: The config class whose keys its value may hold.
        deprecated: What the release announces about it.
    """

    type: str = ""
    default: Any = None
    choices: tuple[Any, ...] | None = None
    members: tuple[str, ...] = ()
    config: str = ""
    deprecated: Deprecation | None = None


class ShippedFacts(_Facts, frozen=True):
    """A tuned kernel file: being there is all there is to know."""


class BenchFacts(_Facts, frozen=True):
    """A subcommand of `vllm bench`.

    Attributes:
        takes_engine_flags: Whether it accepts the engine's flags too.
    """

    takes_engine_flags: bool = False


class DeviceFacts(_Facts, frozen=True):
    """A default that hangs on the device.

    Attributes:
        rows: For a batch setting, its values with the conditions of each.
        small: Capture sizes that stand before the strides.
        strides: Pairs of (from, step) of the capture sizes.
        ceiling: The largest default capture size, by capability family when it differs.
        per_sequence: The ceiling is also this many times `max_num_seqs`.
        times_decode_length: Whether that is multiplied by 1 + speculative tokens too.
        interactivity_up_to: In interactivity mode every size up to this one is captured.
    """

    rows: tuple[dict[str, Any], ...] = ()
    small: tuple[int, ...] = ()
    strides: tuple[tuple[int, int], ...] = ()
    ceiling: int | dict[str, int] | None = None
    per_sequence: int | None = None
    times_decode_length: bool = False
    interactivity_up_to: int | None = None


class LevelFacts(_Facts, frozen=True):
    """What an optimisation level sets one key to.

    Attributes:
        value: The value; `{"decided_by": name}` when a function of the model and the platform decides.
    """

    value: Any = None


AnyFacts = FlagFacts | EnvFacts | MetricFacts | KeyFacts | ShippedFacts | BenchFacts | DeviceFacts | LevelFacts

FACTS_OF: dict[Kind, type[_Facts]] = {
    "flags": FlagFacts,
    "env": EnvFacts,
    "metrics": MetricFacts,
    "config_keys": KeyFacts,
    "moe_configs": ShippedFacts,
    "bench": BenchFacts,
    "bench_flags": FlagFacts,
    "device_defaults": DeviceFacts,
    "levels": LevelFacts,
}
