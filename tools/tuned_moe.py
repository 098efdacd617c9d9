"""Which tuned tile file the Triton expert kernels look for, and whether a release ships it.

Source: `get_config_file_name` and `try_get_optimal_moe_config` in
vllm/model_executor/layers/fused_moe/fused_moe.py @ 0.33.0.
"""

from typing import Final

from knowledge.catalog.found import FoundModel
from knowledge.catalog.gpu import Gpu
from knowledge.surface.surface import Release
from tools.contract import Step, Traced

SELECTORS: Final = {"": "", "fp8": ",dtype=fp8_w8a8", "int8": ",dtype=int8_w8a8", "int4": ",dtype=int4_w4a16"}
"""What a weight format adds to the name; the other formats do not run on these tiles."""


class TunedMoe(Traced, frozen=True):
    """The file that is looked for.

    Attributes:
        names: Its name for each name that the driver may report for the GPU, without `.json`.
        ships: Whether the release ships one of them.
    """

    names: tuple[str, ...] = ()
    ships: bool = False


def tuned_moe(found: FoundModel, gpu: Gpu, release: Release, *, shards: int, expert_ranks: int) -> TunedMoe | None:
    """Name the file and look for it.

    Args:
        found: The model and its weight format.
        gpu: The GPU.
        release: The surface of the release.
        shards: Ranks over which each expert is split (TP x DP without expert parallelism), >= 1.
        expert_ranks: Ranks over which the experts are spread (1 without expert parallelism), >= 1.

    Returns:
        The file, or None when it cannot be told: a dense model, a format that runs on other kernels, a GPU whose
        reported name is not known, or sizes that do not divide.
    """
    experts = found.model.experts()
    form = found.quantisation.format if found.quantisation else ""
    if experts is None or form not in SELECTORS or not gpu.device_names:
        return None
    if experts.experts % expert_ranks or experts.intermediate % shards:
        return None
    local, width = experts.experts // expert_ranks, experts.intermediate // shards
    group = found.quantisation.group if found.quantisation else ()
    block = f",block_shape=[{group[0]},{group[1]}]" if form == "fp8" and len(group) > 1 else ""
    names = tuple(f"E={local},N={width},device_name={name}{SELECTORS[form]}{block}" for name in gpu.device_names)
    ships = any(name in release.moe_configs for name in names)
    steps = (
        Step(
            name="experts per rank",
            formula=f"{experts.experts} experts / {expert_ranks} expert-parallel ranks",
            value=local,
            unit="count",
        ),
        Step(
            name="expert width per rank",
            formula=f"{experts.intermediate} / {shards} ranks that split an expert",
            value=width,
            unit="count",
        ),
    )
    return TunedMoe(names=names, ships=ships, steps=steps)
