"""All the facts of one release."""

from knowledge.surface.extract.bench import bench_facts
from knowledge.surface.extract.config_keys import config_key_facts
from knowledge.surface.extract.device_defaults import device_default_facts
from knowledge.surface.extract.envs import env_facts
from knowledge.surface.extract.execute import ParserReader
from knowledge.surface.extract.fact import Fact
from knowledge.surface.extract.flags import flag_config, flag_facts, serve_arguments
from knowledge.surface.extract.levels import level_facts
from knowledge.surface.extract.metrics import metric_facts
from knowledge.surface.extract.source import SourceTree
from knowledge.surface.extract.tuned import moe_config_facts
from knowledge.surface.kinds import Kind


def read_tree(tree: SourceTree) -> dict[Kind, list[Fact]]:
    """Read every kind of fact from a release's files.

    Returns:
        Kind to facts in order of name.

    Raises:
        ValueError: The release builds its parser where nothing here looks for it.
    """
    reader = ParserReader(tree)
    arguments = serve_arguments(reader)
    configs = [config for argument in arguments if (config := flag_config(argument, reader))]
    commands, bench_flags = bench_facts(reader)
    return {
        "flags": flag_facts(arguments, reader),
        "config_keys": config_key_facts(reader, configs),
        "env": env_facts(reader),
        "metrics": metric_facts(reader),
        "moe_configs": moe_config_facts(tree),
        "bench": commands,
        "bench_flags": bench_flags,
        "device_defaults": device_default_facts(reader),
        "levels": level_facts(reader),
    }
