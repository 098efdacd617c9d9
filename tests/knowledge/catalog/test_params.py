import pytest

from knowledge.catalog.catalog import models
from knowledge.catalog.config_json import from_config
from knowledge.catalog.layers import Attention, Dense, Experts, Layers, Mamba, ShortConv
from knowledge.catalog.model import Model
from knowledge.catalog.params import mtp_parameters, parameters
from tests.knowledge.catalog import config_files as files

PLAIN = Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4)


def tiny(*layers: Layers, tied: bool = True, mtp_layers: int = 0) -> Model:
    return Model("tiny", hidden=8, vocab=10, tied=tied, layers=layers, sources=("by hand",), mtp_layers=mtp_layers)


def named(model_id: str) -> Model:
    return next(model for model in models() if model.id == model_id)


def test_a_dense_model_by_hand() -> None:
    # Llama 3.1 8B: embedding and head 2 x 128256 x 4096; a layer has 4096 x (4096 + 1024 + 1024 + 4096)
    # attention, 3 x 4096 x 14336 feed-forward and two norms; one norm at the end.
    by_hand = 2 * 128256 * 4096 + 32 * (4096 * 10240 + 3 * 4096 * 14336 + 2 * 4096) + 4096
    assert by_hand == 8_030_261_248
    assert parameters(from_config(files.LLAMA_8B, "config.json", "a test")).total == by_hand


@pytest.mark.parametrize(
    ("values", "total_b", "active_b"),
    [
        # As the publishers state them.
        (files.QWEN3_30B_A3B_FP8, 30.5, 3.3),
        (files.DEEPSEEK_V3, 671.0, 37.0),
        (files.GPT_OSS_20B, 20.9, 3.6),
    ],
)
def test_stated_totals(values: dict[str, object], total_b: float, active_b: float) -> None:
    count = parameters(from_config(values, "config.json", "a test"))
    assert count.total / 1e9 == pytest.approx(total_b, rel=0.005)
    # OpenAI does not count the embedding as active; the others do.
    embedding = count.of("embedding") if total_b == 20.9 else 0
    assert (count.active - embedding) / 1e9 == pytest.approx(active_b, rel=0.03)


def test_every_term_of_a_tiny_model() -> None:
    experts = Experts(experts=4, per_token=2, intermediate=16, shared_intermediate=32)
    count = parameters(tiny(Layers(count=2, mixer=PLAIN, feed_forward=experts), tied=False))
    assert {term.part: (term.value, term.active) for term in count.terms} == {
        "embedding": (80, 80),
        "head": (80, 80),
        "norms": (40, 40),
        "attention": (2 * 8 * (8 + 4 + 4 + 8), 2 * 8 * (8 + 4 + 4 + 8)),
        "routed experts": (2 * 4 * 3 * 8 * 16, 2 * 2 * 3 * 8 * 16),
        "router": (2 * 8 * 4, 2 * 8 * 4),
        "shared experts": (2 * 3 * 8 * 32, 2 * 3 * 8 * 32),
    }
    assert count.total == sum(term.value for term in count.terms)


def test_tied_embeddings_are_counted_once() -> None:
    layer = Layers(count=1, mixer=PLAIN, feed_forward=Dense(intermediate=16))
    assert parameters(tiny(layer, tied=False)).total - parameters(tiny(layer)).total == 80
    assert parameters(tiny(layer)).of("head") == 0


@pytest.mark.parametrize(
    ("mixer", "size"),
    [
        # A gate is as wide as the queries: 8 more columns.
        (Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4, gated=True), 8 * (16 + 4 + 4 + 8)),
        (Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4, keys_are_values=True), 8 * (8 + 4 + 0 + 8)),
        (Attention(heads=2, kv_heads=1, head_dim=4, value_dim=4, shares_cache=True), 8 * (8 + 8)),
        # inner 8, two groups' states 2 x 1 x 16, three inner widths, one step per head; conv over 8 + 32.
        (Mamba(heads=2, head_dim=4, state=16, groups=1, conv_width=4), 8 * (24 + 32 + 2) + 40 * 4),
        (ShortConv(width=3), 4 * 64 + 24),
    ],
)
def test_mixers_by_hand(mixer: Attention | Mamba | ShortConv, size: int) -> None:
    count = parameters(tiny(Layers(count=3, mixer=mixer)))
    assert count.of("attention") + count.of("linear attention") == 3 * size


def test_formulas_carry_their_numbers() -> None:
    count = parameters(tiny(Layers(count=1, feed_forward=Dense(intermediate=16, matrices=2))))
    assert [t.formula for t in count.terms if t.part == "dense"] == ["1 layers x 2 x hidden 8 x 16"]


def test_mtp_layers_are_apart() -> None:
    layer = Layers(count=1, mixer=PLAIN, feed_forward=Dense(intermediate=16))
    with_mtp = tiny(layer, mtp_layers=2)
    assert parameters(with_mtp) == parameters(tiny(layer))
    assert mtp_parameters(tiny(layer)) == 0
    assert mtp_parameters(with_mtp) == 2 * (8 * 24 + 3 * 8 * 16 + 2 * 64)


def test_mtp_of_deepseek_v3() -> None:
    # Its README states 685 billion with the MTP module, 671 without: 14, of which 1.9 are the embedding
    # and head that the module shares.
    mtp = mtp_parameters(from_config(files.DEEPSEEK_V3, "config.json", "a test"))
    assert mtp / 1e9 == pytest.approx(14 - 2 * 129280 * 7168 / 1e9, rel=0.06)


def test_encoders_are_counted() -> None:
    model = from_config(files.QWEN35_27B, "config.json", "a test")
    assert parameters(model).of("vision encoder") == 27 * (4 * 1152**2 + 2 * 1152 * 4304)


@pytest.mark.parametrize(
    ("model_id", "active_b"),
    [
        ("deepseek-ai/DeepSeek-V3", 37),
        ("Qwen/Qwen3-235B-A22B", 22),
        ("zai-org/GLM-4.5-Air", 12),
        ("moonshotai/Kimi-K2-Instruct", 32),
    ],
)
def test_active_parameters_of_the_catalog(model_id: str, active_b: float) -> None:
    count = parameters(named(model_id))
    # Publishers differ in whether the embedding and the head are active.
    without = count.active - count.of("embedding") - count.of("head")
    assert without / 1e9 - 1 <= active_b <= count.active / 1e9 + 1
