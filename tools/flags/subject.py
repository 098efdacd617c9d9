"""What a rule looks at: one launch as one release reads it, with the model and the GPU when they are known."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from knowledge.catalog.found import FoundModel
from knowledge.catalog.gpu import Gpu
from knowledge.surface.surface import Release, Surface
from knowledge.versions import KnownVersion, in_range
from tools.flags.finding import Severity
from tools.flags.launch import OPAQUE, Launch, Setting
from tools.flags.parse.given import Given, Parsed


class NotKnown:
    """The type of `NOT_KNOWN`."""

    def __bool__(self) -> bool:
        """It is neither true nor false, so asking is a mistake of the rule."""
        raise TypeError("NOT_KNOWN has no truth value; compare it with `is`")


NOT_KNOWN: Final = NotKnown()
"""A value that the launch sets to something only the shell or the cluster would know, or that is decided at start."""


@dataclass(frozen=True)
class Subject:
    """What a rule looks at.

    Attributes:
        launch: The launch as written.
        parsed: Its words as the release reads them.
        version: The release, and how we came to it.
        model: The model and how its weights are stored; None when it is not known.
        gpu: The GPU; None when it is not known.
        fork: What the version or the image calls itself when it is not vLLM's own build.
    """

    launch: Launch
    parsed: Parsed
    version: KnownVersion
    model: FoundModel | None = None
    gpu: Gpu | None = None
    fork: str = ""

    @cached_property
    def release(self) -> Release:
        """The surface of the release."""
        return Surface.load().at(self.version.release)

    @property
    def refusal(self) -> Severity:
        """How bad a refused value is: the parser of a release older than all known here may take it."""
        return "warning" if self.version.outside == "older" else "error"

    def runs(self, applies: str) -> bool:
        """Whether the release lies in a range such as `>=0.24`."""
        return in_range(self.version.release, applies)

    def value(self, name: str) -> Any:
        """The value that a flag has: the one given last, else the default.

        Returns:
            The value, None where the default is "none given", or `NOT_KNOWN`: the flag does not exist in the
            release, its value is not known, or its default is decided at start.
        """
        use = self.parsed.last(name)
        if use is not None:
            return use.value if use.known else NOT_KNOWN
        facts = self.release.flags.get(name)
        if facts is None or not self.launch.whole:
            return NOT_KNOWN
        return NOT_KNOWN if isinstance(facts.default, dict) else facts.default

    def given(self, *names: str) -> Given | None:
        """The use that wins of the first of these flags that was given."""
        return next((use for name in names if (use := self.parsed.last(name))), None)

    def is_on(self, name: str) -> bool:
        """Whether a switch was set to true."""
        use = self.parsed.last(name)
        return use is not None and use.value is True

    def integer(self, name: str) -> int | None:
        """A whole number that a flag has, or None when it has none or it is not known."""
        value = self.value(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @cached_property
    def sees_all(self) -> bool:
        """Whether every flag of the launch is seen: no variable, file or `--config` can hold more of them."""
        taken = [word for use in self.parsed.given for word in use.words]
        hidden = sum(word.is_opaque for word in self.launch.words) - sum(OPAQUE in word for word in taken)
        unread = any(note.code == "file-not-read" for note in self.launch.notes) or self.given("--config")
        model = self.parsed.model is None  # one word that is not known may be the model
        return self.launch.whole and not unread and hidden <= model

    def sure(self, name: str) -> Any:
        """Like `value`, but a default counts only when the launch cannot hold the flag unseen.

        Returns:
            As for `value`; None when the release has no such flag.
        """
        if self.parsed.last(name) is None and (not self.sees_all or name not in self.release.flags):
            return NOT_KNOWN if name in self.release.flags else None
        return self.value(name)

    def lacks(self, name: str) -> bool:
        """Whether a flag is known to be neither given nor switched on."""
        use = self.parsed.last(name)
        return self.sees_all if use is None else use.known and use.value is False

    def key(self, flag: str, *path: str) -> Any:
        """What stands in a JSON flag: None when the key is not there, `NOT_KNOWN` when that cannot be seen."""
        uses = list(self.parsed.uses(flag))
        if not all(use.known for use in uses) or not (uses or self.sees_all):
            return NOT_KNOWN
        value: Any = self.parsed.json(flag)
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return NOT_KNOWN if isinstance(value, str) and OPAQUE in value else value

    @property
    def env(self) -> Iterator[Setting]:
        """The environment variables set, each once, with the value that wins."""
        yield from {setting.name: setting for setting in self.launch.env}.values()

    def setting(self, name: str) -> Setting | None:
        """An environment variable that is set, or None."""
        return next((setting for setting in self.env if setting.name == name), None)
