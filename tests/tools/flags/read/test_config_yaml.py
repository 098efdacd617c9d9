"""A `--config` file, judged by what `load_config_file` does with the same values."""

from tests.tools.flags.read.reading import lines, noted, only, words


def read_words(text: str) -> list[str]:
    return words(only(f"model: m\n{text}", "c.yaml"))[1:]


def test_values_mean_what_yaml_means_by_them() -> None:
    assert read_words("port: 0x10\nenable-lora: yes\nseed: '007'\nmax-model-len: 1_000\n") == [
        "--port",
        "16",
        "--enable-lora",
        "--seed",
        "007",
        "--max-model-len",
        "1000",
    ]


def test_a_text_in_quotes_is_no_boolean() -> None:
    assert read_words('port: 1\nkv-cache-dtype: "true"\n') == ["--port", "1", "--kv-cache-dtype", "true"]


def test_nothing_and_empty_lists() -> None:
    assert read_words("port: null\nserved-model-name: []\n") == ["--port", "None"]


def test_json_keeps_texts_numbers_and_booleans_apart() -> None:
    assert read_words('port: 1\ncompilation-config: {a: "1", b: 1, c: on, d: [x, null]}\n')[-1] == (
        '{"a": "1", "b": 1, "c": true, "d": ["x", null]}'
    )


def test_false_is_dropped_by_some_releases_or_by_all() -> None:
    launch = only("model: m\nenable-lora: false\nenforce_eager: off\n", "c.yaml")
    assert noted(launch) == [("yaml-false-dropped", "enable-lora", 2), ("yaml-false-dropped", "enforce_eager", 3)]
    assert "before 0.28" in launch.notes[0].message
    assert "any release" in launch.notes[1].message


def test_lines_of_keys_and_values() -> None:
    assert lines(only("port: 1\nmodel:\n  m\nserved-model-name:\n- a\n- b\n", "c.yaml")) == [3, 1, 1, 4, 5, 6]
