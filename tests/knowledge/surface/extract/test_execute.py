"""Statements followed while a parser is built."""

import textwrap
from collections.abc import Callable

from knowledge.surface.extract.execute import Argument, ParserReader
from knowledge.surface.extract.source import SourceTree

Make = Callable[..., SourceTree]


def follow(make_tree: Make, body: str) -> list[Argument]:
    lines = textwrap.indent(textwrap.dedent(body), "        ")
    module = f"from outside import odd\nclass C:\n    @staticmethod\n    def build(parser):\n{lines}\n"
    reader = ParserReader(make_tree(vllm__m=module))
    cls = reader.classes.named("vllm.m", "C")
    assert cls is not None
    return reader.follow(cls, "build") or []


def names(arguments: list[Argument]) -> list[str]:
    return [argument.names[0] for argument in arguments]


def test_loops_with_continue_and_break(make_tree: Make) -> None:
    body = """
        for x in ['a', 'b', 'c', 'd']:
            if x == 'b':
                continue
            if x == 'd':
                break
            parser.add_argument(f'--{x}')
    """
    assert names(follow(make_tree, body)) == ["--a", "--c"]


def test_a_known_branch_is_taken_alone(make_tree: Make) -> None:
    body = """
        if 1 > 2:
            parser.add_argument('--a')
        else:
            parser.add_argument('--b')
    """
    assert [(a.names, a.guards) for a in follow(make_tree, body)] == [(("--b",), ())]


def test_both_sides_of_an_unknown_branch_are_taken_under_guard(make_tree: Make) -> None:
    body = """
        if odd():
            parser.add_argument('--a')
            return
        else:
            parser.add_argument('--b')
        parser.add_argument('--c')
    """
    assert [(a.names[0], a.guards) for a in follow(make_tree, body)] == [
        ("--a", ("odd()",)),
        ("--b", ("not (odd())",)),
        ("--c", ()),
    ]


def test_tables_are_changed_in_place(make_tree: Make) -> None:
    body = """
        k = {'type': 'x', 'nargs': '+'}
        k['default'] = 1
        del k['nargs']
        k.update({'help': 'h'})
        k.pop('type')
        parser.add_argument('--a', **k)
    """
    assert follow(make_tree, body)[0].kwargs == {"default": 1, "help": "h"}


def test_lists_grow(make_tree: Make) -> None:
    body = """
        c = ['a']
        c.append('b')
        c += ['c']
        c.extend(('d',))
        parser.add_argument('--a', choices=c)
    """
    assert follow(make_tree, body)[0].kwargs["choices"] == ["a", "b", "c", "d"]


def test_groups_name_their_arguments(make_tree: Make) -> None:
    body = """
        g = parser.add_argument_group('G')
        g.add_argument('-a', '--all')
        parser.add_argument('--b')
    """
    assert [(a.names, a.group) for a in follow(make_tree, body)] == [(("-a", "--all"), "G"), (("--b",), None)]


def test_a_class_without_the_method_has_nothing_to_follow(make_tree: Make) -> None:
    reader = ParserReader(make_tree(vllm__m="class C: ..."))
    cls = reader.classes.named("vllm.m", "C")
    assert cls is not None
    assert reader.follow(cls, "build") is None
