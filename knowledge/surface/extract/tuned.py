"""The tuned kernel files that a release ships."""

import re

from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.source import SourceTree

_MOE_FILE = re.compile(r"vllm/.*fused_moe/(?:.*/)?configs/(?:.*/)?(?P<name>[^/]+)\.json")


def moe_config_facts(tree: SourceTree) -> list[Fact]:
    """The tuned mixture-of-experts kernel files, named without folder and `.json`."""
    found = (_MOE_FILE.fullmatch(name) for name in tree.names)
    return [Fact(name, {}) for name in sorted({match["name"] for match in found if match})]
