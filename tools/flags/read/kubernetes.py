"""Read Kubernetes and Helm YAML: every container that runs vLLM, in whatever kind of document."""

import re
from collections.abc import Iterator
from typing import Any, Final

from tools.flags.launch import OPAQUE, Launch, Note, Setting
from tools.flags.read.find_launch import Around, Found
from tools.flags.read.lexer import cut, located
from tools.flags.read.located import Located, line_of
from tools.flags.read.shell import launches_in_container, script_in
from tools.flags.read.variables import Scope
from tools.flags.read.yaml_values import mappings, texts

EXTRA: Final = ("extraArgs", "extra_args", "vllmArgs", "engineArgs", "additionalArgs")
"""Lists of arguments in the values of charts, which join others that the chart adds."""

_REFERENCE: Final = re.compile(r"\$\$|\$\((\w+)\)")


def read_kubernetes(document: Any) -> Iterator[Launch]:
    """Yield a launch for each container, and for each list of extra arguments in chart values.

    Args:
        document: One parsed document.
    """
    for name, mapping in mappings(document):
        if "args" in mapping or "command" in mapping:
            yield from _Container(name, mapping).launches()
        for key in EXTRA:
            words = _listed(mapping.get(key))
            if words and words[0].startswith("-"):
                env = list(_Container(name, mapping).settings())
                yield _part(Around(env=env, service=name, platform="kubernetes"), words)


def _part(around: Around, words: list[Located]) -> Launch:
    whole = around.launch(Found(words))
    return Launch(
        words=whole.words, env=whole.env, service=whole.service, platform=whole.platform, notes=whole.notes, whole=False
    )


class _Container:
    def __init__(self, name: str, container: dict[str, Any]) -> None:
        self.name = name
        self.container = container
        self.scope = Scope()

    def launches(self) -> tuple[Launch, ...]:
        env = list(self.settings())
        entry, args = _listed(self.container.get("command")), _listed(self.container.get("args"))
        is_text = script_in(entry + args) is not None
        entry = [self._referred(word, keeps=is_text) for word in entry]
        args = [self._referred(word, keeps=is_text) for word in args]
        around = Around(
            env=env,
            image=_image(self.container.get("image")),
            platform="kubernetes",
            service=self.name,
            mounts=tuple(self._mounts()),
        )
        around.notes = [*self._unread(), *self.scope.notes()]
        return launches_in_container(entry, args, around)

    def settings(self) -> Iterator[Setting]:
        """Its variables; a later one may refer to earlier ones."""
        held = self.container.get("env")
        entries = [(one.get("name"), one.get("value")) for one in held or [] if isinstance(one, dict)]
        for name, value in held.items() if isinstance(held, dict) else entries:
            if not isinstance(name, Located):
                continue
            text = self._referred(value, keeps=True) if isinstance(value, Located) else OPAQUE
            self.scope.known[str(name)] = text
            yield Setting(name=str(name), value=None if OPAQUE in text else str(text), line=line_of(name))

    def _referred(self, word: Located, *, keeps: bool) -> Located:
        """Expand `$(NAME)` as Kubernetes does; one that is not known is left to a shell, or is not known at all."""

        def one(found: re.Match[str]) -> str:
            name = found[1]
            if name is None:
                return "$"
            if name in self.scope.known:
                self.scope.spend(len(self.scope.known[name]), line_of(word))
                return self.scope.known[name]
            if not keeps:
                self.scope.unset.setdefault(name, line_of(word))
            return found[0] if keeps else OPAQUE

        text = _REFERENCE.sub(one, word)
        return word if text == word else Located(text, line_of(word), None if word.breaks is None else ())

    def _mounts(self) -> Iterator[str]:
        held = self.container.get("volumeMounts")
        for mount in held if isinstance(held, list) else []:
            if isinstance(mount, dict) and isinstance(mount.get("mountPath"), Located):
                yield str(mount["mountPath"])

    def _unread(self) -> Iterator[Note]:
        held = self.container.get("envFrom")
        for source in held if isinstance(held, list) else []:
            for kind in source.values() if isinstance(source, dict) else []:
                name = kind.get("name") if isinstance(kind, dict) else None
                if isinstance(name, Located):
                    message = f"the variables in {name} were not seen; give them in `env` to have them checked"
                    yield Note(code="file-not-read", subject=str(name), message=message, line=line_of(name))


def _listed(value: Any) -> list[Located]:
    """The words of a list, or of one text, which charts split at blanks."""
    if isinstance(value, Located):
        return [located(token) for token in cut(value, as_shell=False).tokens()]
    return texts(value)


def _image(value: Any) -> str:
    """An image as text, or from a chart's `{repository, tag}`."""
    if isinstance(value, dict):
        return f"{value.get('repository') or ''}:{value.get('tag') or ''}".strip(":")
    return str(value or "")
