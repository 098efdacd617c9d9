"""Take values out of a `config.json` by name; a missing or absurd one is a `UserError` that names the key."""

from collections.abc import Mapping
from typing import Any

from knowledge.errors import UserError

_LARGEST = 10**9
"""No shape of any model comes near; a larger number is a mistake."""


class Keys:
    """The keys of one JSON object, and where it stands, for messages.

    Args:
        values: The object.
        where: The file and, for a nested object, its key.
    """

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values = values
        self.where = where

    def has(self, *names: str) -> bool:
        """Whether any of the names is there with a value other than null."""
        return any(self.values.get(name) is not None for name in names)

    def count(self, *names: str) -> int:
        """The first of the names that has a value, a whole number above zero.

        Raises:
            UserError: None of them has a value, or it is not such a number.
        """
        value = self.count_or(0, *names)
        if value == 0:
            raise UserError(f"{self.where}: {' or '.join(names)} is missing or 0; add it, it is not guessed")
        return value

    def count_or(self, default: int, *names: str) -> int:
        """The first of the names that has a value, a whole number from 0 on; else `default`.

        Raises:
            UserError: The value is not such a number.
        """
        for name in names:
            value = self.values.get(name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _LARGEST:
                raise UserError(f"{self.where}: {name} is {value!r}, a whole number is needed")
            return value
        return default

    def flag(self, name: str) -> bool:
        """Whether a name is there and true."""
        return self.values.get(name) is True

    def text(self, *names: str) -> str:
        """The first of the names that holds a string, else ""."""
        return next((v for name in names if isinstance(v := self.values.get(name), str)), "")

    def items(self, name: str) -> list[Any]:
        """A list, empty when the name is not there.

        Raises:
            UserError: The value is not a list.
        """
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise UserError(f"{self.where}: {name} is {value!r}, a list is needed")
        return value

    def counts(self, name: str) -> list[int]:
        """A list of whole numbers from 0 on, empty when the name is not there.

        Raises:
            UserError: The value is not a list, or an entry is not such a number.
        """
        entries = Keys({str(n): value for n, value in enumerate(self.items(name))}, f"{self.where}: {name}")
        return [entries.count_or(0, n) for n in entries.values]

    def words(self, name: str) -> list[str]:
        """A list as text, entry by entry; empty when the name is not there."""
        return [str(value) for value in self.items(name)]

    def objects(self, name: str) -> list["Keys"]:
        """A list of objects, empty when the name is not there.

        Raises:
            UserError: The value is not a list, or an entry is not an object.
        """
        found = []
        for number, value in enumerate(self.items(name)):
            if not isinstance(value, dict):
                raise UserError(f"{self.where}: {name}[{number}] is {value!r}, an object is needed")
            found.append(Keys(value, f"{self.where}: {name}[{number}]"))
        return found

    def nested(self, *names: str) -> "Keys | None":
        """The first of the names that holds an object."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, dict) and value:
                return Keys(value, f"{self.where}: {name}")
        return None
