from typing import Any

import pytest

from knowledge.catalog.config_encoders import encoders, uncounted
from knowledge.catalog.config_keys import Keys
from knowledge.catalog.model import Encoder

WHOLE = {"hidden_size": 1152, "depth": 27, "intermediate_size": 4304}


@pytest.mark.parametrize(
    ("values", "encoder"),
    [
        ({"vision_config": WHOLE}, Encoder(kind="vision", layers=27, hidden=1152, intermediate=4304)),
        (
            {"vision_config": WHOLE | {"model_type": "pixtral"}},
            Encoder(kind="vision", layers=27, hidden=1152, intermediate=4304, matrices=3),
        ),
        (
            {"audio_config": {"d_model": 1280, "encoder_layers": 32, "encoder_ffn_dim": 5120}},
            Encoder(kind="audio", layers=32, hidden=1280, intermediate=5120),
        ),
        (
            {"thinker_config": {"vision_config": WHOLE}},
            Encoder(kind="vision", layers=27, hidden=1152, intermediate=4304),
        ),
    ],
)
def test_encoders(values: dict[str, Any], encoder: Encoder) -> None:
    assert list(encoders(Keys(values, "file"))) == [encoder]
    assert list(uncounted(Keys(values, "file"))) == []


@pytest.mark.parametrize("missing", list(WHOLE))
def test_a_part_of_the_facts_is_said_and_not_guessed(missing: str) -> None:
    part = {"vision_config": {k: v for k, v in WHOLE.items() if k != missing}}
    assert list(encoders(Keys(part, "file"))) == []
    assert ["vision encoder is not counted" in line for line in uncounted(Keys(part, "file"))] == [True]


def test_a_text_model_has_none() -> None:
    assert list(encoders(Keys({}, "file"))) == []
    assert list(uncounted(Keys({}, "file"))) == []
