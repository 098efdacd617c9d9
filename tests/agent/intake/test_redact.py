"""Secrets go, everything else stays."""

import pytest

from agent.intake.redact import MARK, redact

SECRET = "q7Zk39fLmW2pXv81"


@pytest.mark.parametrize(
    "text",
    [
        f"vllm serve m --api-key {SECRET}",
        f"vllm serve m --api-key={SECRET} --port 8000",
        f"export HF_TOKEN={SECRET}",
        f"VLLM_API_KEY='{SECRET}' vllm serve m",
        f'{{"password": "{SECRET}"}}',
        f"Authorization: Bearer {SECRET}",
        f"curl -H 'Authorization: Bearer {SECRET}' http://localhost",
        f"http://user:{SECRET}@10.0.0.1:8000/v1",
        f"- name: HF_TOKEN\n  value: {SECRET}",
        f"args: ['--api-key', '{SECRET}']",
        f"non-default args: {{'api_key': ['{SECRET}']}}",
        f"hf_{SECRET}{SECRET}",
        f"sk-{SECRET}",
        f"ghp_{SECRET}{SECRET}",
        f"xoxb-{SECRET}",
        f"pwd={SECRET}",
        f"MYSQL_PWD={SECRET}",
        f"login with token {SECRET}",
        f"Cookie: session={SECRET}; other=1",
        f"set-cookie: sid={SECRET}",
        f"npm_{SECRET}{SECRET}",
        f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----",
    ],
)
def test_a_secret_goes(text: str) -> None:
    cleaned = redact(text)
    assert SECRET not in cleaned
    assert MARK in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 512",
        "--max-num-batched-tokens 8192 --long-prefill-token-threshold 2048",
        "Avg prompt throughput: 12.3 tokens/s, generation tokens=512",
        "vllm:generation_tokens_total 4.5e6",
        "tokenizer=None, skip_tokenizer_init=False, trust_remote_code=True",
        "http://localhost:8000/metrics",
        "PWD=/srv/models",
        "time per output token is 0.012",
        "model deepseek-ai/DeepSeek-V3 on 8xH200",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_redacting_twice_changes_nothing_more() -> None:
    once = redact(f"--api-key {SECRET} HF_TOKEN={SECRET}")
    assert redact(once) == once
