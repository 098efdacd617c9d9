"""Metric families of a release in miniature."""

from collections.abc import Callable

from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.metrics import metric_facts
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]

LOGGERS = '''
"""Speaks of vllm:not_this in its docstring."""
class Names:
    BYTES = "vllm:moved_bytes"
class Logger:
    def __init__(self, show):
        labelnames = ["model_name", "engine"]
        self._gauge_cls(name="vllm:running", documentation="Now.", labelnames=labelnames)
        self._counter_cls(name="vllm:tokens_total", labelnames=labelnames + ["source"])
        self._histogram_cls(name="vllm:iteration_tokens_total", labelnames=unknown())
        if self.show_hidden_metrics:
            self._gauge_cls(name="vllm:old", documentation="DEPRECATED: Use vllm:running instead.")
        counter_specs = [("vllm:drafts", "Drafts."), ("vllm:accepted", "Accepted.")]
        name = "vllm:info"
        self._gauge_cls(name=name)
        torch.ops("vllm::op"); prefix = "vllm:kv_"
    def observe(self):
        self.counter.labels("vllm:not_a_registration_x")
'''

OFFLOAD = """
from vllm.loggers import Names
DEFINITIONS = {Names.BYTES: CounterMetadata(documentation="Moved.", labelnames=("way",))}
"""


def families(tree: SourceTree) -> dict[str, dict[str, object]]:
    return {fact.name: fact.attributes for fact in metric_facts(ParserReader(tree))}


def test_families_with_kind_labels_and_guards(make_tree: Make) -> None:
    found = families(make_tree(vllm__loggers=LOGGERS, vllm__offload=OFFLOAD))
    assert found["vllm:running"] == {"kind": "gauge", "labels": ["model_name", "engine"]}
    assert found["vllm:tokens"] == {"kind": "counter", "labels": ["model_name", "engine", "source"]}
    assert found["vllm:iteration_tokens_total"] == {"kind": "histogram"}
    assert found["vllm:info"] == {"kind": "gauge"}
    assert found["vllm:moved_bytes"] == {"kind": "counter", "labels": ["way"]}
    assert found["vllm:old"] == {
        "kind": "gauge",
        "guards": ["self.show_hidden_metrics"],
        "hidden": True,
        "deprecated": {"mentions": ["vllm:running"]},
    }


def test_a_table_of_names_takes_its_kind_from_the_tables_name(make_tree: Make) -> None:
    found = families(make_tree(vllm__loggers=LOGGERS))
    assert found["vllm:drafts"] == found["vllm:accepted"] == {"kind": "counter"}


def test_docstrings_operators_and_prefixes_are_no_families(make_tree: Make) -> None:
    found = families(make_tree(vllm__loggers=LOGGERS))
    assert not {"vllm:not_this", "vllm::op", "vllm:op", "vllm:kv_"} & found.keys()


def test_files_that_only_read_metrics_are_left_out(make_tree: Make) -> None:
    assert families(make_tree(vllm__benchmarks__serve='wanted = "vllm:drafts"')) == {}
