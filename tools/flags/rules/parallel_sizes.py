"""Parallel sizes that do not fit each other.

## What it looks for
`-tp`, `-dp` and `-dcp`, the nodes of a launch, and what needs expert parallelism, where all sides are known.

## Why it matters
vLLM refuses them at start, often after the image was pulled on every node.

## Not this rule
Heads of the model against `-tp` are `tp-indivisible`. The number of GPUs of a node is not known here.

## What to do
Write the sizes so that they divide, or take the flag out.
"""

from collections.abc import Iterator
from typing import Final

from tools.flags.conflict import Conflict, above, codes, conflicts, exceeds, number, on_without
from tools.flags.finding import Finding
from tools.flags.layout import is_latent, kv_heads
from tools.flags.rule import Rule
from tools.flags.subject import Subject

DCP: Final = "--decode-context-parallel-size"
PCP: Final = "--prefill-context-parallel-size"
TP: Final = "--tensor-parallel-size"
PP: Final = "--pipeline-parallel-size"
DP: Final = "--data-parallel-size"
NODES: Final = "--nnodes"
EXPERTS: Final = "--enable-expert-parallel"
EPLB: Final = "--enable-eplb"


def _sizes(subject: Subject, *flags: str) -> int | None:
    """The product of sizes; None when one is not known."""
    product = 1
    for flag in flags:
        size = number(subject, flag) if flag in subject.release.flags else 1
        if size is None or size < 1:
            return None
        product *= size
    return product


def _undivided(subject: Subject) -> bool:
    tensor, context = _sizes(subject, TP), _sizes(subject, DCP)
    return bool(tensor and context and tensor % context and _sizes(subject, PCP) == 1)


def _few_ranks(subject: Subject) -> bool:
    tensor = _sizes(subject, TP)
    if tensor is None or subject.model is None or not above(subject, DCP, 1) or _sizes(subject, PCP) != 1:
        return False
    heads = kv_heads(subject.model.model)
    return len(heads) == 1 and not is_latent(subject.model.model) and tensor <= heads[0]


def _dense(subject: Subject) -> bool:
    return subject.is_on(EXPERTS) and subject.model is not None and subject.model.model.experts() is None


def _alone(subject: Subject) -> bool:
    return subject.is_on(EPLB) and _sizes(subject, TP, DP, PCP) == 1


def _spare(subject: Subject) -> bool:
    spare = subject.key("--eplb-config", "num_redundant_experts")
    named = above(subject, "--num-redundant-experts", 0)
    return (named or (isinstance(spare, int) and spare > 0)) and subject.lacks(EPLB)


def _uneven_nodes(subject: Subject) -> bool:
    world, nodes = _sizes(subject, TP, PP, DP, PCP), _sizes(subject, NODES)
    return bool(world and nodes and world % nodes)


def _rank_beyond(subject: Subject) -> bool:
    rank, nodes = number(subject, "--node-rank"), _sizes(subject, NODES)
    return rank is not None and nodes is not None and rank >= nodes


def _data_rank_beyond(subject: Subject) -> bool:
    rank, size = number(subject, "--data-parallel-rank"), _sizes(subject, DP)
    return rank is not None and size is not None and rank >= size > 1


def _ray_nodes(subject: Subject) -> bool:
    return above(subject, NODES, 1) and subject.sure("--distributed-executor-backend") == "ray"


def _ray_ranks(subject: Subject) -> bool:
    return above(subject, NODES, 1) and subject.sure("--data-parallel-backend") == "ray"


def _gone_exchange(subject: Subject) -> bool:
    return subject.sure("--all2all-backend") in ("pplx", "naive")


CONFLICTS: Final = (
    Conflict(
        "dcp-indivisible",
        "error",
        ">=0.10.2",
        ("--decode-context-parallel-size",),
        _undivided,
        "--decode-context-parallel-size does not divide --tensor-parallel-size. Take a size that does.",
    ),
    Conflict(
        "dcp-needs-more-ranks",
        "error",
        ">=0.11.1",
        ("--decode-context-parallel-size",),
        _few_ranks,
        "decode context parallelism needs more tensor-parallel ranks than the model has KV heads. Raise "
        "--tensor-parallel-size, or take the flag out.",
    ),
    Conflict(
        "eplb-without-experts",
        "error",
        ">=0.10",
        ("--enable-eplb",),
        on_without(EPLB, EXPERTS),
        "--enable-eplb is refused without --enable-expert-parallel. Add it.",
        "--enable-eplb --enable-expert-parallel",
    ),
    Conflict(
        "eplb-on-one-rank",
        "error",
        ">=0.10",
        ("--enable-eplb",),
        _alone,
        "--enable-eplb is refused on one rank: there is nothing to balance. Take it out.",
    ),
    Conflict(
        "spare-experts-without-eplb",
        "error",
        ">=0.10",
        (
            "--eplb-config",
            "--num-redundant-experts",
        ),
        _spare,
        "redundant experts are refused without --enable-eplb. Add it, or take them out.",
    ),
    Conflict(
        "experts-of-dense-model",
        "error",
        ">=0.8.5",
        ("--enable-expert-parallel",),
        _dense,
        "the model has no experts, and vLLM refuses --enable-expert-parallel for it. Take it out.",
    ),
    Conflict(
        "local-ranks-beyond-all",
        "error",
        ">=0.9",
        ("--data-parallel-size-local",),
        exceeds("--data-parallel-size-local", DP),
        "--data-parallel-size-local is above --data-parallel-size, which counts the ranks of all nodes. Lower it.",
    ),
    Conflict(
        "data-rank-beyond",
        "error",
        ">=0.9.2",
        ("--data-parallel-rank",),
        _data_rank_beyond,
        "--data-parallel-rank counts from 0 and must stay below --data-parallel-size.",
    ),
    Conflict(
        "node-rank-beyond",
        "error",
        ">=0.11.1",
        ("--node-rank",),
        _rank_beyond,
        "--node-rank counts from 0 and must stay below --nnodes.",
    ),
    Conflict(
        "nodes-indivisible",
        "error",
        ">=0.11.1",
        ("--nnodes",),
        _uneven_nodes,
        "--nnodes does not divide the number of ranks that the parallel sizes make. Take sizes that fill "
        "every node alike.",
    ),
    Conflict(
        "nodes-with-ray",
        "error",
        ">=0.11.1",
        ("--nnodes",),
        _ray_nodes,
        "--nnodes above 1 is refused with the ray executor. Take --nnodes out, or use mp.",
    ),
    Conflict(
        "nodes-with-ray",
        "error",
        ">=0.11.1",
        ("--nnodes",),
        _ray_ranks,
        "--nnodes above 1 is refused with --data-parallel-backend ray. Take --nnodes out, or use mp.",
    ),
    Conflict(
        "elastic-ep-without-eplb",
        "error",
        ">=0.17",
        ("--enable-elastic-ep",),
        on_without("--enable-elastic-ep", EPLB),
        "--enable-elastic-ep is refused without --enable-eplb. Add it.",
        "--enable-elastic-ep --enable-eplb",
    ),
    Conflict(
        "exchange-gone",
        "warning",
        ">=0.17",
        ("--all2all-backend",),
        _gone_exchange,
        "this all-to-all back end was removed and is replaced by allgather_reducescatter. Name a back end "
        "of this release.",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield the sizes that do not fit."""
    yield from conflicts(subject, CONFLICTS)


RULE = Rule(name="parallel-sizes", codes=codes(CONFLICTS), check=check)
