"""Defaults that hang on the device, of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.device_defaults import device_default_facts
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

BATCH = """
from vllm.utils import GiB_bytes
class EngineArgs:
    def get_batch_defaults(cls, world_size):
        if device_memory >= 70 * GiB_bytes and "a100" not in device_name:
            default_max_num_seqs = {UsageContext.OPENAI_API_SERVER: 1024}
        elif strange(device_name):
            default_max_num_seqs = {UsageContext.OPENAI_API_SERVER: 3}
        else:
            default_max_num_seqs = {UsageContext.OPENAI_API_SERVER: 256}
        if current_platform.is_cpu():
            default_max_num_seqs = {UsageContext.OPENAI_API_SERVER: 128 * world_size}
"""


def test_batch_rows_in_order_with_named_conditions(make_tree: Make) -> None:
    facts = device_default_facts(ParserReader(make_tree(vllm__engine__arg_utils=BATCH)))
    rows = next(fact for fact in facts if fact.name == "batch.max_num_seqs").attributes["rows"]
    assert [(row["step"], row["when"], row["value"]["OPENAI_API_SERVER"]) for row in rows] == [
        (0, {"memory_gib_from": 70, "device_without": "a100"}, 1024),
        (0, {"other": "strange(device_name)"}, 3),
        (0, {}, 256),
        (1, {"platform": "cpu"}, {"per_rank": 128}),
    ]


CAPTURE = """
class VllmConfig:
    def _set_cudagraph_sizes(self):
        cap = 1024 if current_platform.is_device_capability_family(100) else 512
        largest = min(self.max_num_seqs * decode_query_len * 2, cap)
        if self.performance_mode == "interactivity":
            sizes = list(range(1, min(largest, 32) + 1))
        else:
            sizes = [i for i in [1, 2, 4] if i <= largest]
        sizes += list(range(8, min(largest + 1, 256), 8))
        sizes += list(range(256, largest + 1, 16))
"""


def test_capture_sizes(make_tree: Make) -> None:
    facts = device_default_facts(ParserReader(make_tree(vllm__config__vllm=CAPTURE)))
    capture = next(fact for fact in facts if fact.name == "cudagraph.capture_sizes")
    assert capture.attributes == {
        "small": [1, 2, 4],
        "strides": [[8, 8], [256, 16]],
        "ceiling": {"capability_family_100": 1024, "otherwise": 512},
        "per_sequence": 2,
        "times_decode_length": True,
        "interactivity_up_to": 32,
    }


def test_a_release_without_either_has_no_such_facts(make_tree: Make) -> None:
    assert device_default_facts(ParserReader(make_tree())) == []
