"""Build launches for tests from a command line as a shell would split it."""

import shlex

import msgspec

from knowledge.catalog.found import FoundGpu, FoundModel
from knowledge.catalog.gpu_names import find_gpu
from knowledge.catalog.model_names import find_model
from knowledge.versions import resolve
from tools.flags.check import Checked, check
from tools.flags.launch import Launch, Note, Platform, Setting, Word


def launch(
    command: str,
    env: dict[str, str] | None = None,
    *,
    image: str = "",
    platform: Platform = "",
    mounts: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Launch:
    """A launch by `vllm serve`, or `vllm bench SUBCOMMAND` when the command begins with `bench`.

    Notes are given as `code subject`.
    """
    words = shlex.split(command)
    bench = words[:1] == ["bench"]
    return Launch(
        words=tuple(Word(text=word) for word in (words[2:] if bench else words)),
        env=tuple(Setting(name=name, value=value) for name, value in (env or {}).items()),
        command="bench" if bench else "serve",
        subcommand=words[1] if bench else "",
        image=image,
        platform=platform,
        mounts=mounts,
        notes=tuple(
            msgspec.convert({"code": code, "subject": subject, "message": "as noted"}, Note)
            for code, subject in (note.split() for note in notes)
        ),
    )


def checked(one: Launch, version: str, *, model: str = "", gpu: str = "", fork: str = "") -> Checked:
    """Check it; names of models and GPUs must be known to the catalog."""
    found_model, found_gpu = find_model(model), find_gpu(gpu)
    assert not model or isinstance(found_model, FoundModel), model
    assert not gpu or isinstance(found_gpu, FoundGpu), gpu
    return check(
        one,
        resolve(version),
        model=found_model if isinstance(found_model, FoundModel) else None,
        gpu=found_gpu.gpu if isinstance(found_gpu, FoundGpu) else None,
        fork=fork,
    )
