"""Read a `vllm serve --config` file as vLLM's parser does: settings become words in front of the others.

Source: `FlexibleArgumentParser.load_config_file` in vllm/utils/argparse_utils.py @ 0.33.0.
"""

import json
from collections.abc import Iterator
from typing import Any

from knowledge.errors import UserError
from tools.flags.launch import Launch, Note
from tools.flags.read.located import Located, as_words, line_of


def read_config_yaml(document: dict[str, Any], name: str = "") -> Launch:
    """Turn a file into a launch.

    Args:
        document: The parsed file.
        name: The file, for messages.

    Raises:
        UserError: A key is no text.
    """
    words: list[Located] = []
    notes: list[Note] = []
    model = next((value for key, value in document.items() if key == "model"), None)
    if isinstance(model, Located):
        words.append(model)
    for key, value in document.items():
        if not isinstance(key, Located):
            raise UserError(f"{name or 'the input'}: the key {key!r} is no text")
        if key != "model":
            words += _words(key, value, notes)
    return Launch(words=as_words(words), notes=tuple(notes), whole=model is not None)


def _words(key: Located, value: Any, notes: list[Note]) -> Iterator[Located]:
    line = line_of(key)
    flag = Located(f"--{key}", line)
    if value is None:
        return
    if isinstance(value, Located) and value.lower() in ("true", "false"):
        if value.lower() == "true":
            yield flag
        else:
            message = f"`{key}: false` is dropped, the default stays; write `no-{key.replace('_', '-')}: true`"
            notes.append(Note(code="yaml-false-dropped", subject=str(key), message=message, line=line))
        return
    yield flag
    if isinstance(value, dict):
        yield Located(json.dumps(_plain(value)), line)
    elif isinstance(value, list):
        yield from (Located(json.dumps(_plain(v)) if isinstance(v, dict) else str(v), line) for v in value)
    else:
        yield Located(value, line_of(value))


def _plain(value: Any) -> Any:
    """A YAML value as JSON has it: numbers and booleans are no texts."""
    if isinstance(value, dict):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_plain(child) for child in value]
    if isinstance(value, Located):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return {"True": True, "False": False}.get(value, str(value))
    return value
