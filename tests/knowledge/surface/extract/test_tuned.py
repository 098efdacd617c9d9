"""Tuned kernel files."""

from knowledge.surface.extract.source import SourceTree
from knowledge.surface.extract.tuned import moe_config_facts


def test_tuned_kernel_files_go_by_their_bare_names() -> None:
    folder = "vllm/model_executor/layers/fused_moe/configs"
    tree = SourceTree({}, names=(f"{folder}/E=8,N=7168.json", f"{folder}/README", "tests/configs/x.json"))
    assert [fact.name for fact in moe_config_facts(tree)] == ["E=8,N=7168"]
