"""Read the launches of vLLM in a text, whatever form it was written down in."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final

from knowledge.errors import UserError
from tools.flags.launch import Launch

LONGEST_CHARS: Final = 2 * 2**20
FORMS: Final = (
    "a command, a shell script, a Dockerfile, a compose file, Kubernetes or Helm YAML, a --config file, or an env file"
)

_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_PROMPT: Final = re.compile(r"^[ \t]*[$>][ \t]+(?=\S)", re.MULTILINE)
_TYPED_QUOTES: Final = str.maketrans({"\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"'})
_LONG_DASH: Final = re.compile(r"(?<=\s)[\N{EN DASH}\N{EM DASH}](?=[a-z][\w-]+)")
_UNIT: Final = re.compile(r"^(ExecStart|Environment)=[-@:+!]*")
_LIST: Final = re.compile(r"\[\s*[\"'](?:[\w./-]*/)?vllm[\"']\s*,[^\[\]]*\]")
_YAML_LINE: Final = re.compile(r"^\s*(?:- )?[\w./\"'-]+:(?:\s|$)")
_YAML_MARK: Final = re.compile(r"^(?:apiVersion|kind|services|spec|containers|version|x-[\w-]+|---)\s*:?", re.MULTILINE)


def read(text: str, name: str = "") -> tuple[Launch, ...]:
    """The launches in a text, at least one.

    Args:
        text: The text.
        name: The file's name, which may tell the form; "" when there is none.

    Raises:
        UserError: It is too long, broken, or holds no launch; the message says where and what is understood.
    """
    if len(text) > LONGEST_CHARS:
        raise UserError(f"{name or 'the input'} is longer than any launch ({len(text)} characters); give it alone")
    launches = tuple(_read(_cleaned(text), PurePath(name).name.lower() if name else "", name))
    if not launches:
        raise UserError(f"{name or 'the input'} holds no launch of vLLM; understood are {FORMS}")
    return launches


def _cleaned(text: str) -> str:
    """One kind of line end, no marks, no fences; a systemd unit and a list of a program's words as shell text."""
    text = text.replace("\r\n", "\n").replace("\N{NO-BREAK SPACE}", " ").replace("\0", "").lstrip("\N{BOM}")
    text = _FENCE.sub("", text)
    if "[Service]" in text:
        lines = text.split("\n")
        text = "\n".join("" if line.startswith("[") else _UNIT.sub(_of_unit, line) for line in lines)
    return _LIST.sub(_of_list, text) if not _YAML_MARK.search(text) and "FROM" not in text else text


def _of_unit(found: re.Match[str]) -> str:
    return "export " if found[1] == "Environment" else ""


def _of_list(found: re.Match[str]) -> str:
    """`["vllm", "serve", …]`, as programs hold a command, as one line of shell text."""
    try:
        words = ast.literal_eval(found[0])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return found[0]
    return shlex.join(words) + "\n" * found[0].count("\n") if all(isinstance(w, str) for w in words) else found[0]


def _read(text: str, base: str, name: str) -> Iterator[Launch]:
    match _form(text, base):
        case "dockerfile":
            from tools.flags.read.dockerfile import read_dockerfile

            yield from read_dockerfile(text)
        case "yaml":
            yield from _yaml(text, name)
        case "env":
            from tools.flags.read.env_file import read_env_file

            yield read_env_file(text)
        case _:
            from tools.flags.read.shell import read_shell

            plain = _LONG_DASH.sub("--", _PROMPT.sub("", text).translate(_TYPED_QUOTES))
            yield from read_shell(plain)


def _form(text: str, base: str) -> str:
    if "dockerfile" in base or "containerfile" in base or re.match(r"(?:\s*#.*\n)*\s*(?:ARG\s.*\n\s*)*FROM\s", text):
        return "dockerfile"
    if base.endswith((".yaml", ".yml", ".json")):
        return "yaml"
    if base.endswith((".sh", ".bash")):
        return "shell"
    from tools.flags.read.env_file import is_env_file

    if base.endswith(".env") or base.startswith(".env") or is_env_file(text):
        return "env"
    return "yaml" if _looks_like_yaml(text) else "shell"


def _looks_like_yaml(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines or re.match(r"\s*(?:\S*/)?(?:vllm|python\d?|docker|export|#!)\b", lines[0]):
        return False
    if text.lstrip().startswith("{") or _YAML_MARK.match(lines[0]):
        return True
    return sum(bool(_YAML_LINE.match(line)) for line in lines) > len(lines) // 2


def _yaml(text: str, name: str) -> Iterator[Launch]:
    from tools.flags.read.compose import read_compose
    from tools.flags.read.config_yaml import read_config_yaml
    from tools.flags.read.kubernetes import read_kubernetes
    from tools.flags.read.yaml_values import documents

    for document in documents(text, name):
        if not isinstance(document, dict):
            continue
        if isinstance(document.get("services"), dict):
            yield from read_compose(document)
            continue
        found = list(read_kubernetes(document))
        yield from found
        if not found and _is_config(document):
            yield read_config_yaml(document, name)


def _is_config(document: dict[str, Any]) -> bool:
    """Whether its keys are flags of `vllm serve`."""
    from knowledge.surface.surface import Surface

    if "apiVersion" in document or "kind" in document:
        return False
    surface = Surface.load()
    known = [key for key in document if surface.lookup(f"--{str(key).replace('_', '-')}") is not None]
    return len(known) * 2 >= len(document) > 0
