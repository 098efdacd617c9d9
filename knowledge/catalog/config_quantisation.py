"""Read from a `config.json` how the checkpoint's weights are stored."""

from collections import Counter
from typing import Literal

from knowledge.catalog.config_keys import Keys
from knowledge.catalog.layers import Dense, Experts, GatedDelta, KimiDelta, Layers, Mamba, ShortConv
from knowledge.catalog.model import Format, Part, Quantisation
from knowledge.errors import UserError

_FORMAT_OF_ALGORITHM: dict[str, Format] = {
    "FP8": "fp8",
    "FP8_PB_WO": "fp8",
    "FP8_PER_CHANNEL_PER_TOKEN": "fp8",
    "MXFP8": "mxfp8",
    "NVFP4": "nvfp4",
    "NVFP4_AWQ": "nvfp4",
    "W4A16_NVFP4": "nvfp4",
    "MXFP4": "mxfp4",
    "W4A8_AWQ": "int4",
    "W4A16_AWQ": "int4",
    "INT4_AWQ": "int4",
    "W8A8_SQ_PER_CHANNEL": "int8",
    "W8A16": "int8",
}
_FORMAT_OF_METHOD: dict[str, Format] = {
    "fp8": "fp8",
    "fbgemm_fp8": "fp8",
    "mxfp4": "mxfp4",
    "gpt_oss_mxfp4": "mxfp4",
    "mxfp8": "mxfp8",
}
_FORMAT_OF_NUMBER: dict[tuple[str, int, int], Format] = {
    ("float", 8, 32): "mxfp8",
    ("float", 8, 0): "fp8",
    ("float", 4, 16): "nvfp4",
    ("float", 4, 32): "mxfp4",
    ("int", 8, 0): "int8",
    ("int", 4, 0): "int4",
}
_MOST = 0.5
"""A part is kept when the modules left out cover at least this share of its layers."""

_NO_PART = (
    "norm",
    "embed",
    "router",
    "conv1d",
    "indexer",
    "vision",
    "visual",
    "mtp",
    "bias",
    "shared_expert_gate",
)
_PART_WORDS: tuple[tuple[Part, tuple[str, ...]], ...] = (
    ("shared experts", ("shared_expert",)),
    ("routed experts", (".experts",)),
    ("linear attention", ("linear_attn", "mixer.in_proj", "mixer.out_proj")),
    ("attention", ("attn", "mixer.q_proj", "mixer.o_proj")),
    ("dense", ("mlp", "ffn")),
)
_LINEAR = (GatedDelta, KimiDelta, Mamba, ShortConv)


def quantisation(outer: Keys, text: Keys, layers: tuple[Layers, ...]) -> Quantisation | None:
    """How the linear layers are stored, None when they are in the model's dtype.

    Args:
        outer: The whole file.
        text: Its text model, which holds the key in some multimodal files.
        layers: What was read of the layers.

    Raises:
        UserError: The method or the format is not known here.
    """
    found = outer.nested("quantization_config") or text.nested("quantization_config")
    if found is None:
        return None
    # ModelOpt writes the same facts at the top or under `quantization`, depending on its version.
    keys = found.nested("quantization") or found
    if keys.text("quant_algo").upper() == "MIXED_PRECISION":
        format_, others = _mixed(keys, layers)
    else:
        format_, others = _format(keys), _kept(keys, layers)
        if text.text("expert_dtype") == "fp4":
            format_, others = "mxfp4", {part: format_ for part in _counts(layers) if part != "routed experts"}
    return Quantisation(
        format=format_,
        method=keys.text("quant_method") or ("modelopt" if keys.has("quant_algo") else ""),
        group=_group(keys, format_),
        others=others,
        kv_cache=_kv_cache(keys),
    )


def _format(keys: Keys) -> Format:
    algorithm, method = keys.text("quant_algo").upper(), keys.text("quant_method").lower()
    if algorithm:
        format_ = _FORMAT_OF_ALGORITHM.get(algorithm)
    else:
        format_ = _FORMAT_OF_METHOD.get(method) or _format_of_numbers(keys)
    if format_ is None:
        raise UserError(f"{keys.where}: quantisation {algorithm or method!r} is not known here")
    return format_


def _format_of_numbers(keys: Keys) -> Format | None:
    """Compressed-tensors describe the weights of a group; AWQ, GPTQ and their kin give a number of bits."""
    weights = _first_weights(keys)
    if weights is None:
        return _FORMAT_OF_NUMBER.get(("int", keys.count("bits", "w_bit"), 0))
    kind, bits = weights.text("type"), weights.count("num_bits")
    size = weights.count_or(0, "group_size")
    return _FORMAT_OF_NUMBER.get((kind, bits, size)) or _FORMAT_OF_NUMBER.get((kind, bits, 0))


def _first_weights(keys: Keys) -> Keys | None:
    groups = keys.nested("config_groups")
    first = groups.nested(*groups.values) if groups else None
    return first.nested("weights") if first else None


def _group(keys: Keys, format_: Format) -> tuple[int, ...]:
    fixed = {"nvfp4": 16, "mxfp4": 32, "mxfp8": 32}.get(format_, 0)
    if fixed:
        return (fixed,)
    weights = _first_weights(keys)
    block = keys.counts("weight_block_size") or (weights.counts("block_structure") if weights else [])
    if block:
        return tuple(block)
    size = keys.count_or(0, "group_size", "q_group_size") or (weights.count_or(0, "group_size") if weights else 0)
    return (size,) if size else ()


def _kv_cache(keys: Keys) -> str:
    scheme = keys.nested("kv_cache_scheme")
    if scheme is None:
        return keys.text("kv_cache_quant_algo").lower()
    return f"{scheme.text('type')}{scheme.count('num_bits')}".replace("float", "fp")


def _mixed(keys: Keys, layers: tuple[Layers, ...]) -> tuple[Format, dict[Part, Format | Literal["kept"]]]:
    """ModelOpt's list of layers with their formats; parts that are not in it keep what the method gives."""
    listed = keys.nested("quantized_layers")
    if listed is None:
        raise UserError(f"{keys.where}: quantized_layers is missing, mixed precision cannot be told without it")
    seen: dict[Part, Format] = {}
    for name in listed.values:
        entry = listed.nested(name)
        part = _part_of(name)
        format_ = _FORMAT_OF_ALGORITHM.get(entry.text("quant_algo").upper()) if entry else None
        if part and format_:
            seen.setdefault(part, format_)
    main = seen.get("routed experts") or seen.get("dense")
    if main is None:
        raise UserError(f"{keys.where}: quantized_layers names no format known here for experts or dense layers")
    rest: Format | Literal["kept"] = "fp8" if keys.text("quant_method") == "fp8" else "kept"
    formats = {part: seen.get(part, rest) for part in _counts(layers)}
    if "head" in seen:
        formats["head"] = seen["head"]
    return main, {part: format_ for part, format_ in formats.items() if format_ != main}


def _kept(keys: Keys, layers: tuple[Layers, ...]) -> dict[Part, Format | Literal["kept"]]:
    """Parts that the list of modules to leave out names in most of their layers."""
    names: list[str] = []
    for key in ("modules_to_not_convert", "exclude_modules", "ignore", "ignored_layers", "exclude"):
        names += keys.words(key)
    hits: dict[Part, list[str]] = {}
    for name in names:
        if part := _part_of(name):
            hits.setdefault(part, []).append(name)
    counts = _counts(layers)
    if "dense" not in counts and "dense" in hits:
        # Gemma 4 runs its dense part beside the experts.
        hits["shared experts"] = hits.pop("dense")
    return {part: "kept" for part, count in counts.items() if _covers(hits.get(part, []), count)}


def _part_of(name: str) -> Part | None:
    # Names may be patterns, with anchors and escaped dots.
    name = name.replace("\\", "").replace("[.]", ".").rstrip("$*.")
    if name.split(".")[-1].lstrip("*") in ("lm_head", "head"):
        return "head"
    if name.endswith(".gate") or any(word in name for word in _NO_PART):
        return None
    return next((part for part, words in _PART_WORDS if any(word in name for word in words)), None)


def _covers(names: list[str], count: int) -> bool:
    """Whether names, a pattern over all layers or one name per layer, cover most of `count` layers."""
    if any(name.startswith(("re:", "*")) or ".*." in name for name in names):
        return True
    numbered = {part for name in names for part in name.split(".") if part.isdigit()}
    return bool(numbered) and len(numbered) >= _MOST * count


def _counts(layers: tuple[Layers, ...]) -> dict[Part, int]:
    """How many layers have each part."""
    counts: Counter[Part] = Counter()
    for group in layers:
        if group.mixer:
            counts["linear attention" if isinstance(group.mixer, _LINEAR) else "attention"] += group.count
        if isinstance(group.feed_forward, Dense):
            counts["dense"] += group.count
        if isinstance(group.feed_forward, Experts):
            counts["routed experts"] += group.count
            if group.feed_forward.shared_intermediate:
                counts["shared experts"] += group.count
    return dict(counts)
