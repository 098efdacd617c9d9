"""The LangGraph graph: intake, plan, approve, act, retrieve, compose, check.

Everything up to the tool results is plain data in the thread, so that a checkpoint can be read by a later version
of this program and a run can wait for a yes across a restart. What follows (`evidence`, `draft`, `answer`) is never
stored: it is made anew from the stored part.
"""

import time
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import msgspec
from langgraph.channels import UntrackedValue
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.answer import Answer
from agent.compose import compose
from agent.events import ApprovalNeeded, Retrieved, ToolFinished, ToolStarted
from agent.evidence import Evidence
from agent.gather import gather
from agent.intake.paste import PasteKind, take_apart
from agent.intake.plain import plain
from agent.intake.profile import Profile, read_profile
from agent.intake.redact import redact
from agent.parts import Parts
from agent.plan import Plan, ToolCall, plan
from agent.reply import reply
from agent.templates.draft import Draft
from agent.toolbox import TOOLS, Tool, Workbench
from knowledge.errors import UserError
from knowledge.search.index import Index
from knowledge.versions import KnownVersion, resolve


@dataclass(frozen=True, slots=True)
class Turn:
    """What one question brings with it; the run's context, never stored.

    Attributes:
        question: As typed, secrets and all.
        attachments: Standard input and files, as text.
        version: `--version`, or None.
        index: The open index.
        thread: The conversation's name.
        tools: The tools at hand, by name.
        notices: What the answer must say about how it came to be.
        started: `time.perf_counter()` when the question came.
    """

    question: str
    attachments: tuple[str, ...]
    version: str | None
    index: Index
    thread: str
    tools: dict[str, Tool] = field(default_factory=lambda: TOOLS)
    notices: tuple[str, ...] = ()
    started: float = field(default_factory=time.perf_counter)


class State(TypedDict, total=False):
    """The graph's channels.

    Attributes:
        profile: The deployment as told so far in this thread.
        question: The person's words of this turn, redacted.
        topic: The last question that stood on its own; a follow-up is about it.
        release: vLLM release and how it is known.
        pastes: What was pasted this turn, redacted, by kind.
        plan: What kind of question it is and the tools to run.
        approved: Tools that a person said yes (True) or no (False) to, this turn.
        results: Tool results of this turn, by tool.
    """

    profile: dict[str, Any]
    question: str
    topic: str
    release: dict[str, Any]
    pastes: dict[PasteKind, str]
    plan: dict[str, Any]
    approved: dict[str, bool]
    results: dict[str, Any]
    evidence: Annotated[Evidence, UntrackedValue]
    draft: Annotated[Draft, UntrackedValue]
    answer: Annotated[Answer, UntrackedValue]


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[State, Turn, State, State]:
    """Build the graph; a checkpointer keeps threads."""
    graph = StateGraph(State, context_schema=Turn)
    for node in (intake, make_plan, approve, act, retrieve, write, check_and_answer):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "intake")
    graph.add_edge("intake", "make_plan")
    graph.add_edge("make_plan", "approve")
    graph.add_edge("approve", "act")
    graph.add_edge("act", "retrieve")
    graph.add_edge("retrieve", "write")
    graph.add_edge("write", "check_and_answer")
    graph.add_edge("check_and_answer", END)
    return graph.compile(checkpointer=checkpointer)


def intake(state: State, runtime: Runtime[Turn]) -> State:
    """Redact, take the message apart, update the profile, settle the version."""
    turn = runtime.context
    message = take_apart(_clean(turn.question), tuple(_clean(text) for text in turn.attachments))
    told = read_profile(message.question, "\n".join(message.pastes.values()))
    profile = msgspec.convert(state.get("profile") or {}, Profile).updated(told)
    if not message.question and not message.pastes:
        raise UserError('nothing was asked; try: ask "why is ITL spiking"')
    return {
        "profile": msgspec.to_builtins(profile),
        "question": message.question,
        "pastes": message.pastes,
        "release": _release(
            (turn.version, "given with --version"),
            (read_profile(message.question).version, "named in the question"),
            (told.version, "read in what was pasted"),
            (profile.version, "named earlier in this conversation"),
        ),
        "approved": {},
        "results": {},
    }


def _clean(text: str) -> str:
    """Plain first: a terminal code or a hidden character inside a secret must not hide it from the patterns."""
    return redact(plain(text))


def _release(*tellers: tuple[str | None, str]) -> dict[str, Any]:
    """The release that the first teller with a version names, else the newest."""
    known = next((resolve(version, told) for version, told in tellers if version), resolve(None))
    return msgspec.to_builtins(known)  # type: ignore[no-any-return]  # a dataclass becomes a dict


def make_plan(state: State, runtime: Runtime[Turn]) -> State:
    """Route the question; one that says nothing by itself is about the previous one."""
    parts = _parts(state, runtime)
    question = state["question"]
    running = state["profile"].get("version", "")
    made = plan(question, state["pastes"], parts, running)
    topic = question
    if made.kind == "explain" and state.get("topic") and is_follow_up(question):
        topic = state["topic"]
        made = plan(topic, state["pastes"], parts, running)
    update: State = {"plan": msgspec.to_builtins(made), "topic": topic}
    if after := made.release:
        known = KnownVersion(after, "the release that the upgrade leads to")
        update["release"] = msgspec.to_builtins(known)
    return update


def approve(state: State, runtime: Runtime[Turn]) -> State:
    """Stop at every acting tool until a person says yes; reading tools pass."""
    turn = runtime.context
    answers: dict[str, bool] = {}
    for call in _calls(state):
        tool = turn.tools[call.tool]
        if tool.acts:
            need = ApprovalNeeded(
                thread=turn.thread,
                tool=tool.name,
                command=tool.command(call),
                target=tool.target(call),
                cost=tool.cost,
            )
            answers[call.tool] = interrupt(msgspec.to_builtins(need)) is True
    return {"approved": answers}


def act(state: State, runtime: Runtime[Turn]) -> State:
    """Run the planned tools; an acting one only with its yes."""
    turn = runtime.context
    emit = get_stream_writer()
    bench = Workbench(
        pastes=state["pastes"],
        parts=_parts(state, runtime),
        question=state["question"],
        version=KnownVersion(**state["release"]),
        profile=msgspec.convert(state["profile"], Profile),
        claims=turn.index.claims,
    )
    results: dict[str, Any] = {}
    for call in _calls(state):
        tool = turn.tools[call.tool]
        if tool.acts and not state["approved"].get(call.tool):
            continue
        emit(ToolStarted(tool=tool.name, what=tool.what))
        began = time.perf_counter()
        result = tool.run(call, bench)
        results[tool.name] = msgspec.to_builtins(result)
        emit(ToolFinished(tool=tool.name, summary=tool.summary(result), seconds=time.perf_counter() - began))
    return {"results": results}


def retrieve(state: State, runtime: Runtime[Turn]) -> State:
    """Gather the claims and results that the answer may rest on."""
    turn = runtime.context
    evidence = gather(
        question=state["question"],
        topic=state["topic"],
        plan=msgspec.convert(state["plan"], Plan),
        version=KnownVersion(**state["release"]),
        profile=msgspec.convert(state["profile"], Profile),
        pasted=tuple(state["pastes"]),
        results=[msgspec.convert(result, turn.tools[name].result) for name, result in state["results"].items()],
        index=turn.index,
    )
    get_stream_writer()(Retrieved(claims=tuple(evidence.claims())))
    return {"evidence": evidence}


def write(state: State) -> State:
    """Let the template write."""
    return {"draft": compose(state["evidence"])}


def check_and_answer(state: State, runtime: Runtime[Turn]) -> State:
    """Drop what is not backed, say what stands, and close the answer."""
    turn = runtime.context
    answer = reply(state["draft"], state["evidence"], turn.index.claims, emit=get_stream_writer())
    seconds = round(time.perf_counter() - turn.started, 3)
    return {"answer": msgspec.structs.replace(answer, seconds=seconds, unchecked=turn.notices + answer.unchecked)}


def is_follow_up(question: str) -> bool:
    """Whether a question names nothing that could be looked up by itself (`and on 0.27?`, `which one first?`)."""
    from knowledge.search.terms import names, words

    thing = [word for word in words(question) if len(word) > 2 and not word[0].isdigit()]
    return not names(question) and len(thing) <= FOLLOW_UP_WORDS


FOLLOW_UP_WORDS = 3


def _calls(state: State) -> tuple[ToolCall, ...]:
    return msgspec.convert(state["plan"], Plan).calls


def _parts(state: State, runtime: Runtime[Turn]) -> Parts:
    return Parts(runtime.context.index.claims.values(), state["release"]["release"])
