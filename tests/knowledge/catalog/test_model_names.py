import pytest
from hypothesis import given, strategies as st

from knowledge.catalog.found import Ambiguous, FoundModel, NotFound
from knowledge.catalog.model import Quantisation
from knowledge.catalog.model_names import find_model
from knowledge.catalog.store import model_file


def found(name: str) -> FoundModel:
    answer = find_model(name)
    assert isinstance(answer, FoundModel), answer
    return answer


@pytest.mark.parametrize(
    ("name", "model_id"),
    [
        ("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3"),
        ("DEEPSEEK-AI/deepseek-v3", "deepseek-ai/DeepSeek-V3"),
        ("deepseek v3", "deepseek-ai/DeepSeek-V3"),
        ("DeepSeek_V3", "deepseek-ai/DeepSeek-V3"),
        ("  Qwen3-32B  ", "Qwen/Qwen3-32B"),
        ("/weights/Qwen3-8B/", "Qwen/Qwen3-8B"),
        ("~/models/Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("./Qwen3-8B", "Qwen/Qwen3-8B"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B"),
        ("glm5", "zai-org/GLM-5"),
        ("zai-org/GLM5", "zai-org/GLM-5"),
        ("next 80b", "Qwen/Qwen3-Next-80B-A3B-Instruct"),
    ],
)
def test_spellings(name: str, model_id: str) -> None:
    assert found(name).model.id == model_id


def test_a_published_checkpoint_is_its_base_and_its_format() -> None:
    answer = found("Qwen/Qwen3-235B-A22B-FP8")
    assert answer.model.id == "Qwen/Qwen3-235B-A22B"
    assert answer.name == "Qwen/Qwen3-235B-A22B-FP8"
    assert answer.quantisation == Quantisation(format="fp8", method="fp8", group=(128, 128))
    assert "PyPI aiconfigurator-core" in answer.basis


def test_the_base_itself_has_no_format() -> None:
    assert found("Qwen/Qwen3-235B-A22B").quantisation is None


def test_a_model_published_in_a_format() -> None:
    stored = found("DeepSeek-V3").quantisation
    assert stored is not None
    assert (stored.format, stored.group) == ("fp8", (128, 128))


@pytest.mark.parametrize(
    ("name", "model_id", "quantisation"),
    [
        ("nvidia/Llama-3.3-70B-Instruct-FP4", "meta-llama/Llama-3.3-70B-Instruct", Quantisation(format="nvfp4")),
        ("someone/Qwen3-32B-FP8", "Qwen/Qwen3-32B", Quantisation(format="fp8")),
        ("someone/Qwen3-14B-BF16", "Qwen/Qwen3-14B", None),
        ("GLM5-w8a8", "zai-org/GLM-5", Quantisation(format="int8")),
        ("someone/GLM5-w8a8", "zai-org/GLM-5", Quantisation(format="int8")),
    ],
)
def test_anothers_checkpoint_is_told_by_its_name(name: str, model_id: str, quantisation: Quantisation | None) -> None:
    answer = found(name)
    assert (answer.model.id, answer.quantisation) == (model_id, quantisation)
    assert model_id in answer.basis


@pytest.mark.parametrize(
    ("name", "one_of_them"),
    [
        ("qwen3", "Qwen/Qwen3-8B"),
        ("gpt-oss", "openai/gpt-oss-20b"),
        ("llama 70b", "meta-llama/Llama-3.3-70B-Instruct"),
        ("kimi k2", "moonshotai/Kimi-K2-Thinking"),
        ("DeepSeek-V4", "deepseek-ai/DeepSeek-V4-Flash"),
        # The same name from an organisation that is not known may be anything.
        ("someone/Qwen3-32B", "Qwen/Qwen3-32B"),
    ],
)
def test_an_open_name_gets_candidates(name: str, one_of_them: str) -> None:
    answer = find_model(name)
    assert isinstance(answer, Ambiguous)
    assert one_of_them in answer.candidates
    assert len(answer.candidates) <= 12
    assert answer.reason


@pytest.mark.parametrize("name", ["", " ", "/", "-", "no-such-model-7b", "someone/GLM5", "0", "Qwen3-33B"])
def test_an_unknown_name(name: str) -> None:
    answer = find_model(name)
    assert isinstance(answer, NotFound)
    assert "config.json" in answer.reason


def test_a_slip_gets_a_neighbour() -> None:
    answer = find_model("Qwen/Qwen3-33B")
    assert isinstance(answer, NotFound)
    assert "Qwen/Qwen3-32B" in answer.near


def test_a_model_without_shapes_says_what_is_missing() -> None:
    answer = find_model("mistralai/Mistral-Large-3-675B-Instruct-2512")
    assert isinstance(answer, NotFound)
    assert "vocabulary" in answer.reason


@pytest.mark.parametrize("model", model_file().models, ids=lambda model: model.id)
def test_every_known_name_finds_its_model(model: object) -> None:
    assert hasattr(model, "id")
    known = next(m for m in model_file().models if m.id == model.id)
    for name in (known.id, *known.aliases):
        assert found(name).model == known
        assert found(name.lower()).quantisation == known.quantisation
    for checkpoint in known.checkpoints:
        assert (found(checkpoint.id).model, found(checkpoint.id).quantisation) == (known, checkpoint.quantisation)


@pytest.mark.parametrize("entry", model_file().incomplete, ids=lambda entry: entry.id)
def test_no_incomplete_model_is_found_in_another(entry: object) -> None:
    assert hasattr(entry, "id")
    assert not isinstance(find_model(str(entry.id)), FoundModel)


@given(st.text(max_size=40))
def test_any_text_is_answered(name: str) -> None:
    assert find_model(name)
