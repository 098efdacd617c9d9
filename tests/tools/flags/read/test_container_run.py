"""`docker run`: where the image stands, and what its options give."""

import pytest

from tests.tools.flags.read.reading import env, noted, only, words

IMAGE = "vllm/vllm-openai:v0.27.1"


@pytest.mark.parametrize(
    "options",
    [
        "--rm -it",
        "--name vllm --ipc=host",
        "-d --gpus all -p 1:1 --shm-size 4g",
        "--privileged",
        "-v /vllm:/vllm",
        "--label app=vllm",
    ],
)
def test_the_image_is_told_from_the_values_of_options(options: str) -> None:
    launch = only(f"sudo docker run {options} {IMAGE} m --port 1")
    assert (launch.image, words(launch)) == (IMAGE, ["m", "--port", "1"])


def test_a_registry_with_a_port() -> None:
    assert only("docker run r.example:5000/a/vllm-fork:1 m").image == "r.example:5000/a/vllm-fork:1"


def test_it_is_given_what_its_options_name_and_nothing_else() -> None:
    launch = only(f"export A=1 B=2\ndocker run -e A -eC=3 --env=D=4 -e E --env-file=f.env {IMAGE} m")
    assert env(launch) == {"A": "1", "C": "3", "D": "4", "E": None}
    assert noted(launch) == [("file-not-read", "f.env", 2)]


def test_every_way_to_mount() -> None:
    launch = only(f"docker run -v a:/b:ro --volume=c:/d --mount type=bind,source=e,target=/f {IMAGE} m")
    assert launch.mounts == ("/b", "/d", "/f")


def test_another_entry_point() -> None:
    by_shell = only(f'docker run -e A=1 --entrypoint bash {IMAGE} -c "vllm serve m --port 1"')
    assert (words(by_shell), by_shell.image, env(by_shell)) == (["m", "--port", "1"], IMAGE, {"A": "1"})
    assert only(f"docker run --entrypoint python3 {IMAGE} -m vllm.entrypoints.openai.api_server --model m").module


@pytest.mark.parametrize(("tag", "module"), [(":v0.8.5", True), (":v0.11.0", True), (":v0.11.1", False), ("", False)])
def test_older_images_start_the_module(tag: str, module: bool) -> None:
    assert only(f"docker run vllm/vllm-openai{tag} --model m").module is module


def test_an_image_of_somebody_else_is_not_said_to_start_the_module() -> None:
    assert not only("docker run acme/vllm:0.8.5 --model m").module
