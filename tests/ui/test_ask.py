"""`ask` as a person runs it: a real process, its two streams and its exit code."""

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.search.index import Index
from knowledge.versions import newest

ASK = [sys.executable, "-m", "ui.cli"]
ROOT = Path(__file__).parents[2]
ANSWER_KEYS = [
    "question",
    "answer",
    "version",
    "citations",
    "findings",
    "commands",
    "unchecked",
    "next",
    "mode",
    "seconds",
]


@pytest.fixture
def home(shared_home: Path, index: Index) -> Path:
    """A data folder whose index is built."""
    return shared_home


def ask(home: Path, *args: str, stdin: bytes | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*ASK, *args],
        cwd=ROOT,
        env={**os.environ, "ASK_HOME": str(home), **env},  # noqa: TID251
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        timeout=60,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_the_question_of_the_readme(home: Path) -> None:
    done = ask(home, "why is ITL spiking")
    assert done.returncode == 0
    for lever_or_sign in (
        "--max-num-batched-tokens",
        "vllm:num_preemptions_total",
        "vllm:inter_token_latency_seconds",
        "--max-cudagraph-capture-size",
        "garbage collection",
        f"vLLM {newest()} (assumed",
    ):
        assert lever_or_sign in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stderr


def test_json_is_the_answer_object(home: Path) -> None:
    done = ask(home, "--json", "why is ITL spiking", "--version", "0.27.0")
    answer = json.loads(done.stdout)
    assert [key for key in answer if key in ANSWER_KEYS] == ANSWER_KEYS
    assert (answer["version"], answer["mode"]) == ("0.27.0", "template")
    assert {"id", "title", "sources"} <= set(answer["citations"][0])
    causes = [finding["cause"] for finding in answer["findings"]]
    assert {"prefill-interference", "kv-preemption", "cudagraph-miss", "cold-start-jit", "host-stall"} <= set(causes)
    assert answer["dropped"] == []
    assert "--prefill-schedule-interval" not in done.stdout  # it came with 0.33.0


def test_a_log_on_standard_input_is_evidence_without_its_secrets(home: Path) -> None:
    log = (
        b"INFO 08-12 09:15:47 [api_server.py:1] vLLM API server version 0.25.1\n"
        b"INFO non-default args: {'api_key': ['sk-abcdefghijklmnop1234']}\n"
        b"WARNING 08-12 09:16:00 [fused_moe.py:1] Using default MoE config. Performance might be sub-optimal! "
        b"Config file not found at /x/E=128,N=704,device_name=NVIDIA_H200.json\n"
    )
    done = ask(home, "--json", "what is wrong", stdin=log)
    answer = json.loads(done.stdout)
    assert [f["cause"] for f in answer["findings"] if f["outcome"] == "fired"] == ["moe-untuned"]
    assert "E=128,N=704" in answer["findings"][0]["evidence"][0]
    assert answer["version"] == "0.25.1"
    assert "sk-abcdefghijklmnop1234" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("args", "stdin", "code", "told"),
    [
        pytest.param([], None, 2, "nothing was asked", id="nothing"),
        pytest.param(["   "], None, 2, "nothing was asked", id="blank"),
        pytest.param(["corpsu"], None, 2, "ask corpus", id="typo"),
        pytest.param(["--version", "banana", "q"], None, 2, "is not a version number", id="no-version"),
        pytest.param(["what is wrong"], b"\x00\x01\x02" * 100, 2, "not text", id="binary"),
        pytest.param(["corpus", "show", "kv.no-such"], None, 2, "ask corpus list", id="no-claim"),
        pytest.param(["flags", "show", "--no-such-flag-at-all"], None, 2, "no vLLM release", id="no-flag"),
        pytest.param(["gpus", "Voodoo2"], None, 2, "not in the catalog", id="no-gpu"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    home: Path, args: list[str], stdin: bytes | None, code: int, told: str
) -> None:
    done = ask(home, *args, stdin=stdin)
    assert done.returncode == code
    assert told in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_broken_threads_file_is_refused_and_left(home: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for part in ("encoders", "index"):
        (own / part).symlink_to(home / part)
    threads = own / "threads.db"
    threads.write_bytes(b"this is no database" * 100)
    done = ask(own, "--thread", "prod", "why is ITL spiking")
    assert done.returncode == 2
    assert f"mv '{threads}'" in done.stderr
    assert threads.read_bytes() == b"this is no database" * 100


def test_a_thread_remembers_the_version_in_another_process(home: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for part in ("encoders", "index"):
        (own / part).symlink_to(home / part)
    ask(own, "--thread", "prod", "we run vLLM 0.27.0 on 8xH200")
    answer = json.loads(ask(own, "--json", "--thread", "prod", "why is ITL spiking").stdout)
    assert (answer["version"], answer["version_basis"]) == ("0.27.0", "named earlier in this conversation")
    other = json.loads(ask(own, "--json", "--thread", "test", "why is ITL spiking").stdout)
    assert other["version"] == newest()


def test_the_reader_may_go_away(home: Path) -> None:
    command = f"'{sys.executable}' -m ui.cli 'why is ITL spiking' </dev/null | head -1"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "ASK_HOME": str(home)},  # noqa: TID251
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in done.stderr


def test_on_a_terminal_the_answer_is_rendered(home: Path) -> None:
    controller, terminal = pty.openpty()
    env = {**os.environ, "ASK_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "80"}  # noqa: TID251
    process = subprocess.Popen(
        [*ASK, "what does --max-num-seqs do"],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    seen = b""
    while select.select([controller], [], [], 60)[0]:
        try:
            chunk = os.read(controller, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    os.close(controller)
    assert process.wait(60) == 0
    assert b"\x1b[1m" in seen
    assert b"###" not in seen


@pytest.mark.parametrize(
    ("args", "keys"),
    [
        (["corpus", "list", "--json"], {"id", "title", "topic"}),
        (["corpus", "search", "--json", "max_num_seqs"], {"id", "title", "score", "text"}),
    ],
    ids=["list", "search"],
)
def test_corpus_json(home: Path, args: list[str], keys: set[str]) -> None:
    rows = json.loads(ask(home, *args).stdout)
    assert rows
    assert set(rows[0]) == keys


def test_flags_list_json() -> None:
    done = ask(Path("/nonexistent"), "flags", "list", "--version", "0.27.0", "--json")
    surface = json.loads(done.stdout)
    assert {"flag", "spellings", "default", "choices", "nargs", "deprecated"} <= set(surface["flags"][0])
    assert "VLLM_LOGGING_LEVEL" in surface["env"]
    assert "vllm:num_requests_running" in surface["metrics"]
