"""The keys of the JSON flags, such as `mode` in `--compilation-config '{"mode": 3}'`."""

import ast
from collections.abc import Iterable
from typing import Any

from knowledge.surface.extract.classes import Field
from knowledge.surface.extract.deprecation import flag_deprecation
from knowledge.surface.extract.evaluate import Evaluator
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.hints import Hint
from knowledge.surface.extract.values import ClassValue, Unknown, plain

# Where config classes are found by name; the package has held all of them since it was one file.
CONFIG = "vllm.config"
# Set by vLLM itself from the engine's own flags, though a field of a JSON config may have such a class.
ENGINE_OWN = {"ModelConfig", "ParallelConfig"}


def config_class(evaluator: Evaluator, flag_dest: str) -> ClassValue | None:
    """The config class that a flag is named after, as `SpeculativeConfig` for `speculative_config`."""
    module = evaluator.tree.module(CONFIG)
    wanted = flag_dest.replace("_", "").lower()
    names = (name for name in (module.names if module else ()) if name.lower() == wanted)
    return next((cls for name in names if (cls := evaluator.classes.named(CONFIG, name))), None)


def config_key_facts(evaluator: Evaluator, roots: Iterable[ClassValue]) -> list[Fact]:
    """The settable fields of the classes behind the JSON flags, nested ones too, named `Class.key`."""
    facts: dict[str, Fact] = {}
    todo, visited = list(roots), set[ClassValue]()
    while todo:
        cls = todo.pop()
        if cls in visited:
            continue
        visited.add(cls)
        for field in evaluator.classes.fields(cls).values():
            if _is_settable(field):
                fact, nested = _key_fact(cls, field, evaluator)
                if any(inner.name in ENGINE_OWN for inner in nested):
                    continue
                facts.setdefault(fact.name, fact)
                todo += nested
    return sorted(facts.values(), key=lambda fact: fact.name)


def _is_settable(field: Field) -> bool:
    """Whether a person can give the field: not private, not `init=False`, not filled in by vLLM itself."""
    value = ast.unparse(field.value).replace(" ", "") if field.value else ""
    is_init = "init=False" not in value and not value.startswith("PrivateAttr")
    return is_init and not field.name.startswith("_") and "SkipValidation" not in ast.unparse(field.annotation)


def _key_fact(cls: ClassValue, field: Field, evaluator: Evaluator) -> tuple[Fact, list[ClassValue]]:
    hints = evaluator.hints.read(field.annotation, field.module)
    nested = [hint.cls for hint in hints if hint.kind == "dataclass" and hint.cls]
    options = [plain(option) for hint in hints for option in hint.options if not isinstance(option, Unknown)]
    enums = [
        name for hint in hints if hint.kind == "enum" and hint.cls for name in evaluator.classes.enum_values(hint.cls)
    ]
    attributes: dict[str, Any] = {
        "type": " or ".join(dict.fromkeys(_type_name(hint) for hint in hints if hint.kind not in {"None", "other"})),
        "default": plain(evaluator.default_of(field)),
        "choices": list(dict.fromkeys(options)),
        "members": enums,
        "config": nested[0].name if nested else None,
        "deprecated": flag_deprecation(field.name, field.doc, keyword=False, action=None),
    }
    said = {name: value for name, value in attributes.items() if name == "default" or value not in (None, [], "")}
    return Fact(f"{cls.name}.{field.name}", said, field.where), nested


def _type_name(hint: Hint) -> str:
    return type(hint.options[0]).__name__ if hint.options else hint.kind
