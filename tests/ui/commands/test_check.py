"""`ask flags check` and `ask flags diff`, run in this process."""

import json
from pathlib import Path

import pytest

from ui.cli import run
from ui.commands.launches import MAX_BYTES

BROKEN = ["vllm", "serve", "m", "--swap-space", "4"]
HURT = ["vllm", "serve", "m", "--no-async-scheduling"]
KEYS = {"code", "severity", "subject", "message", "alive", "replacement", "claims"}


def check(*args: str) -> int:
    return run(["flags", "check", "--version", "0.33.0", *args])


@pytest.mark.parametrize(
    ("words", "fail_on", "code"),
    [
        (BROKEN, "error", 1),
        (HURT, "error", 0),
        (HURT, "warning", 1),
        (["vllm", "serve", "m"], "note", 0),
        (["vllm", "serve", "--model", "m"], "error", 0),
        (["vllm", "serve", "--model", "m"], "note", 1),
    ],
)
def test_the_exit_code_is_the_verdict(words: list[str], fail_on: str, code: int) -> None:
    assert check("--fail-on", fail_on, "--", *words) == code


def test_text_names_the_version_the_fault_and_the_mend(capsys: pytest.CaptureFixture[str]) -> None:
    check("--", *BROKEN)
    out = capsys.readouterr().out
    assert out.startswith("vLLM 0.33.0 (given with --version): 1 error\n")
    assert "error line 1: --swap-space went after vLLM 0.17.1" in out
    assert "(flag-removed)" in out


def test_json_is_what_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    check("--json", "--", *BROKEN)
    told = json.loads(capsys.readouterr().out)
    assert told["version"] == "0.33.0"
    (finding,) = told["findings"]
    assert set(finding) >= KEYS
    assert finding["severity"] == "error"
    assert finding["subject"] == "--swap-space"
    assert finding["alive"] == ["0.8.5.post1", "0.17.1"]
    assert finding["replacement"] is None


def test_sarif_has_a_rule_for_every_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "serve.sh"
    script.write_text("vllm serve m \\\n  --swap-space 4\n")
    check("--sarif", str(script))
    told = json.loads(capsys.readouterr().out)
    (ran,) = told["runs"]
    assert told["version"] == "2.1.0"
    (result,) = ran["results"]
    assert result["ruleId"] in {rule["id"] for rule in ran["tool"]["driver"]["rules"]}
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == str(script)
    assert place["region"]["startLine"] == 2
    assert all(rule["shortDescription"]["text"] for rule in ran["tool"]["driver"]["rules"])


def test_one_quoted_command_is_a_command() -> None:
    assert check("vllm serve m --swap-space 4") == 1


@pytest.mark.parametrize(
    "args",
    [
        ["no-such-file.yaml"],
        ["--model", "no/such-model-at-all", "--", *BROKEN],
        ["--gpu", "no such gpu", "--", *BROKEN],
        ["--", "echo", "hello"],
        ["\0"],
        [""],
    ],
    ids=["file", "model", "gpu", "no launch", "zero byte", "nothing"],
)
def test_what_cannot_be_used_is_exit_code_2(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert check(*args) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_wrong_version_is_exit_code_2() -> None:
    assert run(["flags", "check", "--version", "newish", "--", *BROKEN]) == 2


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.sh"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    assert check(str(large)) == 2


def test_a_path_with_a_blank_is_a_file_and_its_address_is_encoded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "a #b.sh"
    script.write_text("vllm serve m --swap-space 4")
    assert check("--sarif", str(script)) == 1
    assert "a%20%23b.sh" in capsys.readouterr().out


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "x.sh"
    binary.write_bytes(b"vllm serve m\0")
    assert check(str(binary)) == 2


def test_the_image_tells_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["flags", "check", "--from-image", "vllm/vllm-openai:v0.17.1", "--", *BROKEN]) == 0
    assert "vLLM 0.17.1" in capsys.readouterr().out


def test_diff_tells_only_what_touches_the_launch(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(
        ["flags", "diff", "--from", "0.26.0", "--to", "0.28.0", "--json", "--", "vllm", "serve", "m", "-tp", "2"]
    )
    told = json.loads(capsys.readouterr().out)
    assert code == 0
    assert told["breaks"] == []
    assert any(change["name"] == "--max-num-batched-tokens" for change in told["shifts"])


def test_diff_without_a_launch_tells_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["flags", "diff", "--from", "0.26.0"]) == 0
    out = capsys.readouterr().out
    assert "Breaks (" in out
    assert "--max-num-partial-prefills is gone" in out


def test_diff_in_the_wrong_order_is_exit_code_2() -> None:
    assert run(["flags", "diff", "--from", "0.33.0", "--to", "0.22.0"]) == 2
