"""Read a `vllm serve --config` file as vLLM's parser does: settings become words in front of the others.

Source: `FlexibleArgumentParser.load_config_file` in vllm/utils/argparse_utils.py @ 0.33.0; @ 0.27.1 for `false`.
"""

import json
from collections.abc import Iterator
from typing import Any

from tools.flags.launch import Launch, Note
from tools.flags.read.located import Located, as_words, line_of
from tools.flags.read.yaml_values import plain


def read_config_yaml(document: dict[str, Any]) -> Launch:
    """Turn a file into a launch.

    Args:
        document: The parsed file.
    """
    words: list[Located] = []
    notes: list[Note] = []
    model = document.get("model")
    if isinstance(model, Located):
        words.append(model)
    for key, value in document.items():
        if isinstance(key, Located) and key != "model":
            words += _words(key, value, notes)
    return Launch(words=as_words(words), notes=tuple(notes), whole=model is not None)


def _words(key: Located, value: Any, notes: list[Note]) -> Iterator[Located]:
    line = line_of(key)
    meant = plain(value)
    if meant is False:
        notes.append(_dropped(key))
        return
    if meant == []:
        return
    yield Located(f"--{key}", line)
    if isinstance(value, dict):
        yield Located(json.dumps(meant), line)
    elif isinstance(value, list):
        yield from (Located(str(plain(one)), line_of(one) if isinstance(one, Located) else line) for one in value)
    elif meant is not True:
        yield Located(str(meant), line_of(value) if isinstance(value, Located) else line)


def _dropped(key: Located) -> Note:
    dashed = key.replace("_", "-")
    when = "any release" if "_" in key else "a release before 0.28"
    message = f"`{key}: false` is dropped by {when}, so that the default stays; write `no-{dashed}: true`"
    return Note(code="yaml-false-dropped", subject=str(key), message=message, line=line_of(key))
