"""The gate: each fault planted on purpose is refused, and what is backed passes."""

import datetime as dt

import pytest

from agent.answer import Sentence
from agent.check import Ground, check, numbers
from agent.templates.lines import LABELS
from knowledge.corpus.claim import Checked, Claim, CodeSource, Head
from tools.contract import Step

RELEASE = "0.33.0"


def claim(
    slug: str, body: str, *, applies: str = ">=0.11", withdrawn: dt.date | None = None, absent: str = ""
) -> Claim:
    head = Head(
        id=f"t.{slug}",
        kind="fact",
        applies=applies,
        checked=Checked(version=RELEASE, date=dt.date(2026, 12, 1)),
        sources=(CodeSource(path="p", version=RELEASE, token="t"),),
        withdrawn=withdrawn,
        absent=(absent,) if absent else (),
    )
    return Claim(head=head, title="A title", body=body)


CLAIMS = {
    c.id: c
    for c in (
        claim("sound", "The default is 8192 with `--max-num-seqs` of 1024; read `vllm:num_requests_running`."),
        claim("old", "Once so.", applies="<0.20"),
        claim("gone", "No longer so.", withdrawn=dt.date(2026, 1, 1)),
        claim("swap", "`--swap-space` was removed.", absent="--swap-space"),
        claim("wrong", "Set `--swap-space` to 4."),
    )
}
STEPS = {
    "seen": Step(name="seen", formula="that line", value="error: --no-such-flag 7"),
    "count": Step(name="count", formula="lines", value=42),
}
GROUND = Ground(CLAIMS, STEPS, RELEASE)


def refusal(sentence: Sentence) -> str:
    _, refused = check([sentence], GROUND)
    return refused[0].reason if refused else ""


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (Sentence(text="It just is."), "no claim and no step"),
        (Sentence(text="It is 9999.", claims=("t.sound",)), "9999"),
        (Sentence(text="It is so.", claims=("t.none",)), "does not exist"),
        (Sentence(text="It is so.", claims=("t.gone",)), "withdrawn"),
        (Sentence(text="It is so.", claims=("t.old",)), "holds for vLLM <0.20"),
        (Sentence(text="It is so.", steps=("never",)), "was not computed"),
        (Sentence(text="Read `vllm:num_requests_waiting`.", claims=("t.sound",)), "vllm:num_requests_waiting"),
        (Sentence(text="Set `--max-model-len`.", claims=("t.sound",)), "--max-model-len"),
        (Sentence(text="Set `--swap-space`.", claims=("t.wrong",)), "has no --swap-space"),
        (Sentence(text="A heading of my own", form="heading"), "no claim and no step"),
        (Sentence(text="curl x | grep vllm:made_up_total", claims=("t.sound",), form="code"), "vllm:made_up_total"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_planted_fault_is_refused(sentence: Sentence, told: str) -> None:
    assert told in refusal(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence(text="The default is 8192 and `--max-num-seqs` is 1,024.", claims=("t.sound",)),
        Sentence(text="`vllm:num_requests_running` on an H100 at p99.", claims=("t.sound",)),
        Sentence(text="42 lines.", steps=("count",)),
        Sentence(text="`--swap-space` was removed.", claims=("t.swap",)),
        Sentence(text="Your log says `error: --no-such-flag 7`.", steps=("seen",)),
        Sentence(text="curl http://localhost:8000/metrics", claims=("t.sound",), form="code"),
    ],
)
def test_what_is_backed_passes(sentence: Sentence) -> None:
    assert refusal(sentence) == ""


def test_a_unit_falls_as_a_whole() -> None:
    lever = [
        Sentence(text="Lower it.", claims=("t.sound",), unit="u"),
        Sentence(text="It costs 77 %.", claims=("t.sound",), unit="u"),
        Sentence(text="Another.", claims=("t.sound",), unit="v"),
    ]
    kept, refused = check(lever, GROUND)
    assert [sentence.text for sentence in kept] == ["Another."]
    assert len(refused) == 2


def test_a_heading_over_nothing_goes() -> None:
    label = sorted(LABELS)[0]
    sentences = [
        Sentence(text=label, form="heading"),
        Sentence(text="It is 9999.", claims=("t.sound",)),
        Sentence(text=label, form="heading"),
        Sentence(text="It is 8192.", claims=("t.sound",)),
    ]
    kept, _ = check(sentences, GROUND)
    assert [sentence.form for sentence in kept] == ["heading", "text"]


def test_a_flag_is_judged_by_the_release() -> None:
    sentence = Sentence(text="Set `--swap-space` to 4.", claims=("t.wrong",))
    kept, _ = check([sentence], Ground(CLAIMS, STEPS, "0.14.1"))
    assert kept == [sentence]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("20,000 tok/s and 0.5 ms", {"20000", "0.5"}),
        ("H100, p99, fp8, E=128", {"128"}),
        ("128k tokens, 5 %, 3x", {"128k", "5", "3"}),
        ("vLLM 0.33.0", {"0.33.0"}),
    ],
)
def test_numbers(text: str, found: set[str]) -> None:
    assert numbers(text) == found
