"""What is known of a GPU (or other accelerator): memory, speeds, links, names, and where each was read."""

from typing import Literal

from knowledge.corpus.claim import Closed


class Gpu(Closed, frozen=True):
    """One product. Speeds are dense peaks; None is not known, never zero.

    Attributes:
        id: The name used here.
        vendor: Who makes it.
        memory_gb: Memory as sold, in GB.
        other_memory_gb: Other figures under which the same memory is sold.
        usable_gib: Memory that the driver reports, in GiB.
        bandwidth_gbps: Memory bandwidth, GB/s.
        bf16_tflops: Dense bf16 peak.
        fp8_tflops: Dense fp8 peak; None without fp8 matrix units or when not known.
        fp4_tflops: Dense fp4 peak, likewise.
        int8_tops: Dense int8 peak, likewise.
        link: What joins the GPUs of a node.
        link_gbps: Its bandwidth per GPU, one direction, GB/s.
        network_gbps: Bandwidth per GPU between nodes, one direction, GB/s.
        per_node: GPUs in the usual node.
        link_domain: GPUs joined by the fast link when that is more than a node.
        capability: CUDA compute capability or AMD architecture; "" when not known or not defined.
        device_names: Names the driver reports, as in the names of vLLM's tuned kernel files.
        aliases: Other names that mean this product and no other.
        notes: What a reader must know before relying on the facts.
        unread: Facts left null because no source that could be opened says them.
        sources: Where the facts were read.
    """

    id: str
    vendor: Literal["nvidia", "amd", "intel", "huawei", "google"]
    memory_gb: int | None
    sources: tuple[str, ...]
    other_memory_gb: tuple[int, ...] = ()
    usable_gib: float | None = None
    bandwidth_gbps: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    link: str = ""
    link_gbps: float | None = None
    network_gbps: float | None = None
    per_node: int | None = None
    link_domain: int | None = None
    capability: str = ""
    device_names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
