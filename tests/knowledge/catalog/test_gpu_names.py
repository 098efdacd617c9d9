import pytest
from hypothesis import given, strategies as st

from knowledge.catalog.found import Ambiguous, FoundGpu, NotFound
from knowledge.catalog.gpu import Gpu
from knowledge.catalog.gpu_names import find_gpu
from knowledge.catalog.store import gpu_file


@pytest.mark.parametrize(
    ("name", "gpu_id", "count"),
    [
        ("H200", "H200-SXM-141GB", None),
        ("H200-SXM", "H200-SXM-141GB", None),
        ("h200 sxm5", "H200-SXM-141GB", None),
        ("NVIDIA_H200", "H200-SXM-141GB", None),
        ("NVIDIA H200", "H200-SXM-141GB", None),
        ("8xH200", "H200-SXM-141GB", 8),
        ("8 x H200", "H200-SXM-141GB", 8),
        ("8\N{MULTIPLICATION SIGN}H200", "H200-SXM-141GB", 8),
        ("H200 x8", "H200-SXM-141GB", 8),
        ("8 H100s", "H100-SXM-80GB", 8),
        ("2x8xH100", "H100-SXM-80GB", 16),
        ("2x8 H100", "H100-SXM-80GB", 16),
        ("h200 141gb", "H200-SXM-141GB", None),
        ("8x h200-141GB", "H200-SXM-141GB", 8),
        ("NVIDIA H100 80GB HBM3", "H100-SXM-80GB", None),
        ("h100 pcie", "H100-PCIe-80GB", None),
        ("A100 SXM4 80GB", "A100-SXM-80GB", None),
        ("L40S", "L40S", None),
        ("RTX_PRO_6000_8X", "RTX-PRO-6000-96GB", 8),
        ("MI300X", "MI300X", None),
    ],
)
def test_spellings(name: str, gpu_id: str, count: int | None) -> None:
    answer = find_gpu(name)
    assert isinstance(answer, FoundGpu), answer
    assert (answer.gpu.id, answer.count) == (gpu_id, count)


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("A100", {"A100-PCIe-80GB", "A100-SXM-40GB", "A100-SXM-80GB"}),
        ("A100 80GB", {"A100-PCIe-80GB", "A100-SXM-80GB"}),
        ("4xA100", {"A100-PCIe-80GB", "A100-SXM-40GB", "A100-SXM-80GB"}),
        # There is no H200 of 80 GB: one of the two is wrong, and it is not for us to say which.
        ("h200 80gb", {"H200-SXM-141GB"}),
        ("tpu", {"TPU-v5e", "TPU-v6e", "TPU-v7"}),
    ],
)
def test_an_open_name_gets_candidates(name: str, candidates: set[str]) -> None:
    answer = find_gpu(name)
    assert isinstance(answer, Ambiguous)
    assert set(answer.candidates) == candidates


@pytest.mark.parametrize("name", ["", " ", "x", "8x", "gpu", "H2000", "0xH200", "999999xH200", "L40", "Voodoo2"])
def test_an_unknown_name(name: str) -> None:
    assert isinstance(find_gpu(name), NotFound)


def test_a_slip_gets_neighbours() -> None:
    answer = find_gpu("H201-SXM-141GB")
    assert isinstance(answer, NotFound)
    assert "H200-SXM-141GB" in answer.near


@pytest.mark.parametrize("gpu", gpu_file().gpus, ids=lambda gpu: gpu.id)
def test_every_known_name_finds_its_gpu(gpu: Gpu) -> None:
    for name in (gpu.id, *gpu.aliases, *gpu.device_names):
        answer = find_gpu(name)
        assert isinstance(answer, FoundGpu), (name, answer)
        assert answer.gpu == gpu


@given(st.text(max_size=40))
def test_any_text_is_answered(name: str) -> None:
    assert find_gpu(name)
