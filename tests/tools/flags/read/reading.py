"""Read a text that holds one launch, and show parts of it."""

from tools.flags.launch import Launch
from tools.flags.read import read


def only(text: str, name: str = "") -> Launch:
    (launch,) = read(text, name)
    return launch


def words(launch: Launch) -> list[str]:
    return [word.text for word in launch.words]


def lines(launch: Launch) -> list[int]:
    return [word.line for word in launch.words]


def env(launch: Launch) -> dict[str, str | None]:
    return {setting.name: setting.value for setting in launch.env}


def noted(launch: Launch) -> list[tuple[str, str, int]]:
    return [(note.code, note.subject, note.line) for note in launch.notes]
