"""Deprecation: only of the thing itself, and what is said of its end."""

import pytest

from knowledge.surface.extract.deprecation import announcement, flag_deprecation


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[DEPRECATED] Gone soon.", {"announced": True}),
        (
            "This argument is deprecated and will be removed in v0.12.0. Use --new.",
            {"removal": "0.12.0", "mentions": ["--new"]},
        ),
        ("--old is deprecated. Use --new-config.key instead.", {"mentions": ["--new-config.key"]}),
        ("Deprecated: has no effect.", {"announced": True}),
        # About something else than the flag itself.
        ("Allow deprecated quantization methods.", None),
        ("The value x was dropped; no longer deprecated things.", None),
        ("", None),
        (None, None),
    ],
)
def test_a_help_text(text: object, said: object) -> None:
    assert flag_deprecation("--old", text, keyword=None, action=None) == said


def test_argparses_own_mark_or_an_action_is_enough() -> None:
    assert flag_deprecation("--old", "", keyword=True, action=None) == {"announced": True}
    assert flag_deprecation("--old", "", keyword=None, action="DeprecatedOldAction") == {"announced": True}


def test_metrics_and_variables_are_names_too() -> None:
    said = announcement("Use vllm:new_name or VLLM_NEW, removal in version 1.2.", own_name="vllm:old")
    assert said == {"removal": "1.2", "mentions": ["VLLM_NEW", "vllm:new_name"]}
