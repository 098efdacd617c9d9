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

BLOCKS_AT_MOST: Final = 20
"""So many code blocks of one text are read."""

_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_FENCE_LINE: Final = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_HOLDS_LAUNCH: Final = re.compile(r"vllm|^\s*--[a-z]|^\s*[\w-]+:\s", re.MULTILINE)
_ONE_CODE: Final = re.compile(r"\A\s*`([^`\n]+)`\s*\Z")
_PROMPT: Final = re.compile(r"^(?:[ \t]*\$|>)[ \t]+(?=\S)", re.MULTILINE)
_PROGRAM: Final = re.compile(r"(?:[\w./-]*/)?(?:vllm|python\d?|docker|export|#!)\b|#!")
_UNIT: Final = re.compile(r"^(ExecStart|Environment)=[-@:+!]*")
_LIST: Final = re.compile(r"\[\s*[\"'](?:[\w./-]*/)?vllm[\"']\s*,[^\[\]]*\]")
_YAML_LINE: Final = re.compile(r"(?:- )?[\w./\"'-]+:(?:\s|$)")
_YAML_MARK: Final = re.compile(r"(?:(?:apiVersion|kind|services|spec|containers|version|x-[\w-]+)\s*:|---)")
_MARKDOWN: Final = (".md", ".markdown", ".txt")


def read(text: str, name: str = "") -> tuple[Launch, ...]:
    """The launches in a text, at least one.

    Args:
        text: The text.
        name: The file's name, which may tell the form; "" when there is none.

    Raises:
        UserError: It is too long, broken, or holds no launch; the message says where and what is understood.
    """
    told = name or "the input"
    if len(text) > LONGEST_CHARS:
        raise UserError(f"{told} is longer than any launch ({len(text)} characters); give the launch alone")
    base = PurePath(name.replace("\0", "")).name.lower()
    try:
        launches = _launches(_cleaned(text), base)
    except UserError as exc:
        raise UserError(f"{told}, {exc}") from exc
    if not launches:
        raise UserError(f"{told} holds no launch of vLLM; understood are {FORMS}")
    return launches


def _launches(text: str, base: str) -> tuple[Launch, ...]:
    """Read the text, of Markdown the code in it; when that is broken or mixed, block by block."""
    blocks = _blocks(text) if not base or base.endswith(_MARKDOWN) else []
    if not blocks:
        return tuple(_read(_ONE_CODE.sub(r" \1 ", text if base else _FENCE_LINE.sub("", text)), base))
    together = list(_unbroken(_laid_out(blocks), base))
    alone = [] if together else [launch for block in blocks for launch in _unbroken(_laid_out([block]), base)]
    return tuple(together or alone or _read(_laid_out(blocks), base))


def _unbroken(text: str, base: str) -> tuple[Launch, ...]:
    try:
        return tuple(_read(text, base))
    except UserError:
        return ()


def _cleaned(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\N{NO-BREAK SPACE}", " ").replace("\0", "")
    return text.lstrip("\N{BOM}")


def _blocks(text: str) -> list[tuple[int, str]]:
    """The code blocks of Markdown in which a launch may be, each with the number of lines in front of it."""
    blocks: list[tuple[int, list[str]]] = []
    is_code = False
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            is_code = not is_code
            if is_code:
                blocks.append((number, []))
        elif is_code:
            blocks[-1][1].append(line)
    joined = ((before, "\n".join(lines)) for before, lines in blocks)
    return [(before, code) for before, code in joined if _HOLDS_LAUNCH.search(code)][:BLOCKS_AT_MOST]


def _laid_out(blocks: list[tuple[int, str]]) -> str:
    """Blocks on the lines on which they stood."""
    text = ""
    for before, code in blocks:
        text += "\n" * (before - text.count("\n")) + code
    return text


def _read(text: str, base: str) -> Iterator[Launch]:
    match _form(text, base):
        case "dockerfile":
            from tools.flags.read.dockerfile import read_dockerfile

            yield from read_dockerfile(text)
        case "yaml":
            yield from _yaml(text)
        case "env":
            from tools.flags.read.env_file import read_env_file

            yield read_env_file(text)
        case _:
            from tools.flags.read.shell import read_shell

            yield from read_shell(_as_shell(text if base.endswith((".sh", ".bash")) else _PROMPT.sub("", text)))


def _as_shell(text: str) -> str:
    """A systemd unit, and a list of a program's words, as shell text."""
    if "[Service]" in text:
        text = "\n".join("" if line.startswith("[") else _UNIT.sub(_of_unit, line) for line in text.split("\n"))
    return _LIST.sub(_of_list, text)


def _of_unit(found: re.Match[str]) -> str:
    return "export " if found[1] == "Environment" else ""


def _of_list(found: re.Match[str]) -> str:
    """`["vllm", "serve", …]`, as programs hold a command, as one line of shell text."""
    try:
        words = ast.literal_eval(found[0])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return found[0]
    return shlex.join(words) + "\n" * found[0].count("\n") if all(isinstance(w, str) for w in words) else found[0]


def _form(text: str, base: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if "dockerfile" in base or "containerfile" in base or _looks_like_dockerfile(lines):
        return "dockerfile"
    if base.endswith((".yaml", ".yml", ".json")):
        return "yaml"
    if base.endswith((".sh", ".bash")):
        return "shell"
    from tools.flags.read.env_file import is_env_file

    if base.endswith(".env") or base.startswith(".env") or is_env_file(text):
        return "env"
    return "yaml" if _looks_like_yaml(lines) else "shell"


def _looks_like_dockerfile(lines: list[str]) -> bool:
    first = next((line for line in lines if not line.startswith("ARG ")), "")
    return first.startswith("FROM ")


def _looks_like_yaml(lines: list[str]) -> bool:
    if not lines or _PROGRAM.match(lines[0]):
        return False
    if lines[0].startswith("{") or _YAML_MARK.match(lines[0]):
        return True
    return sum(bool(_YAML_LINE.match(line)) for line in lines) > len(lines) // 2


def _yaml(text: str) -> Iterator[Launch]:
    from tools.flags.read.compose import read_compose
    from tools.flags.read.config_yaml import read_config_yaml
    from tools.flags.read.kubernetes import read_kubernetes
    from tools.flags.read.yaml_values import documents

    for document in documents(text):
        if not isinstance(document, dict):
            continue
        if isinstance(document.get("services"), dict):
            yield from read_compose(document)
            continue
        found = list(read_kubernetes(document))
        yield from found
        if not found and _is_config(document):
            yield read_config_yaml(document)


def _is_config(document: dict[str, Any]) -> bool:
    """Whether its keys are flags of `vllm serve`."""
    from knowledge.surface.surface import Surface

    if "apiVersion" in document or "kind" in document:
        return False
    surface = Surface.load()
    known = [key for key in document if surface.lookup(f"--{str(key).replace('_', '-')}") is not None]
    return len(known) * 2 >= len(document) > 0
