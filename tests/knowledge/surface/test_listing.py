"""The whole surface of a release as JSON."""

import json

from knowledge.surface.listing import listing
from knowledge.surface.surface import Surface


def test_a_listing_is_json_with_all_spellings() -> None:
    listed = json.loads(json.dumps(listing(Surface.load().at("0.33.0"))))
    assert list(listed) == ["version", "flags", "env", "metrics"]
    flag = next(flag for flag in listed["flags"] if flag["flag"] == "--enable-prefix-caching")
    assert flag["spellings"] == [
        "--enable-prefix-caching",
        "--no-enable-prefix-caching",
        "--disable-prefix-caching",
    ]
    assert {"flag", "spellings", "default", "choices", "nargs", "deprecated"} <= flag.keys()
    assert "vllm:num_requests_running" in listed["metrics"]
    assert "VLLM_USE_DEEP_GEMM" in listed["env"]


def test_a_deprecated_flag_says_what_is_announced() -> None:
    flags = listing(Surface.load().at("0.33.0"))["flags"]
    flag = next(flag for flag in flags if flag["flag"] == "--log-config-file")
    assert flag["deprecated"] == {
        "announced": True,
        "removal": "0.33.0",
        "mentions": ["--logging-config.pylogging_config_file"],
    }
