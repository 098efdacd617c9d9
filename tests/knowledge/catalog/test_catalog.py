import json
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.catalog import catalog
from knowledge.catalog.found import FoundGpu, FoundModel, NotFound
from knowledge.errors import UserError
from tests.knowledge.catalog import config_files as files


def test_a_name_a_file_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(files.QWEN3_30B_A3B_FP8))
    by_name = catalog.model("Qwen/Qwen3-30B-A3B-FP8")
    for path in (tmp_path, tmp_path / "config.json"):
        by_file = catalog.model(str(path))
        assert isinstance(by_file, FoundModel)
        assert isinstance(by_name, FoundModel)
        assert by_file.model.layers == by_name.model.layers
        assert by_file.quantisation == by_name.quantisation
        assert by_file.basis == "read from the file"


def test_a_folder_without_a_config_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "Qwen3-8B").mkdir()
    answer = catalog.model(str(tmp_path / "Qwen3-8B"))
    assert isinstance(answer, FoundModel)
    assert answer.model.id == "Qwen/Qwen3-8B"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        catalog.model(str(tmp_path / "config.json"))


def test_gpus() -> None:
    answer = catalog.gpu("8xH200")
    assert isinstance(answer, FoundGpu)
    assert (answer.gpu in catalog.gpus(), answer.count) == (True, 8)
    assert isinstance(catalog.gpu("no such"), NotFound)


def test_a_name_with_a_zero_byte_is_answered() -> None:
    assert isinstance(catalog.model("a\0b"), NotFound)


def test_importing_reads_no_data() -> None:
    code = (
        "import sys; from knowledge.catalog import catalog, store;"
        "print(store.model_file.cache_info().misses, *(m for m in ('yaml', 'click', 'chromadb') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]
