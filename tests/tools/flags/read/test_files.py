"""Files read into launches: Dockerfile, compose, Kubernetes, Helm values, configuration, env file."""

import contextlib

import pytest
from hypothesis import given, settings, strategies as st

from knowledge.errors import UserError
from tools.flags.launch import OPAQUE, Launch
from tools.flags.read import LONGEST_CHARS, read


def only(text: str, name: str = "") -> Launch:
    (launch,) = read(text, name)
    return launch


def words(launch: Launch) -> list[str]:
    return [word.text for word in launch.words]


DOCKERFILE = """\
FROM python:3.12 AS build
RUN pip install something
ARG VERSION=v0.27.1
FROM vllm/vllm-openai:${VERSION}
ENV VLLM_LOGGING_LEVEL=DEBUG \\
    # a comment between
    VLLM_CACHE_ROOT="/cache dir"
ENV OLD form
CMD ["--model", "m", \\
     "--port", "1"]
"""


def test_a_dockerfile_joins_image_environment_and_command() -> None:
    launch = only(DOCKERFILE, "Dockerfile")
    assert launch.image == "vllm/vllm-openai:v0.27.1"
    assert words(launch) == ["--model", "m", "--port", "1"]
    assert [(s.name, s.value) for s in launch.env] == [
        ("VLLM_LOGGING_LEVEL", "DEBUG"),
        ("VLLM_CACHE_ROOT", "/cache dir"),
        ("OLD", "form"),
    ]
    assert launch.platform == "docker"


@pytest.mark.parametrize(
    "text",
    [
        'FROM x\nENTRYPOINT ["vllm", "serve"]\nCMD ["m", "--port", "1"]',
        "FROM x\nCMD vllm serve m --port 1",
        'FROM x\nENTRYPOINT ["/bin/sh", "-c", "vllm serve m --port 1"]',
        "FROM vllm/vllm-openai\nENTRYPOINT vllm serve m --port 1\nCMD ignored",
    ],
)
def test_the_forms_of_a_command(text: str) -> None:
    assert words(only(text)) == ["m", "--port", "1"]


COMPOSE = """\
x-common: &common
  image: vllm/vllm-openai:v0.27.1
  environment: &env
    VLLM_A: "1"
services:
  chat:
    <<: *common
    environment:
      <<: *env
      VLLM_B: ${B:-2}
      VLLM_C: $$literal
    env_file: chat.env
    volumes:
      - cache:/root/.cache
    command:
      - --model
      - m
      - --speculative-config
      - '{"method": "mtp", "num_speculative_tokens": 1}'
      - --port
      - ${PORT:-1}
      - -tp
      - ${TP}
  web:
    image: nginx
    command: nginx -g 'daemon off;'
  folded:
    image: vllm/vllm-openai:v0.28.0
    command: >
      --model m
      --port 1
"""


def test_compose_services_with_anchors_and_defaults() -> None:
    chat, folded = read(COMPOSE, "compose.yaml")
    assert (chat.service, folded.service) == ("chat", "folded")
    assert words(chat) == [
        "--model",
        "m",
        "--speculative-config",
        '{"method": "mtp", "num_speculative_tokens": 1}',
        "--port",
        "1",
        "-tp",
        OPAQUE,
    ]
    assert {(s.name, s.value) for s in chat.env} == {("VLLM_A", "1"), ("VLLM_B", "2"), ("VLLM_C", "$literal")}
    assert [(note.code, note.subject) for note in chat.notes] == [
        ("file-not-read", "chat.env"),
        ("variable-unset", "TP"),
    ]
    assert chat.mounts == ("/root/.cache",)
    assert words(folded) == ["--model", "m", "--port", "1"]


def test_lines_in_yaml_are_those_of_the_file() -> None:
    chat, _ = read(COMPOSE)
    assert chat.words[0].line == 16
    assert next(s.line for s in chat.env if s.name == "VLLM_B") == 10


DEPLOYMENT = """\
apiVersion: v1
kind: Service
metadata: {name: llm}
---
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
        - name: server
          image: vllm/vllm-openai:v0.31.0
          env:
            - name: TP
              value: "8"
            - name: HF_TOKEN
              valueFrom: {secretKeyRef: {name: hf, key: token}}
          args: ["--model", "m", "--tensor-parallel-size", "$(TP)", "--seed", "$(SEED)"]
          volumeMounts:
            - {name: cache, mountPath: /root/.cache}
        - name: sidecar
          image: fluent-bit
          args: ["-c", "/etc/f.conf"]
        - name: scripted
          image: acme/base
          command: ["/bin/bash", "-c"]
          args:
            - |
              export VLLM_A=1
              vllm serve m --port 1
"""


def test_every_container_that_runs_vllm() -> None:
    server, scripted = read(DEPLOYMENT)
    assert words(server) == ["--model", "m", "--tensor-parallel-size", "8", "--seed", OPAQUE]
    assert (server.service, server.image, server.platform) == ("server", "vllm/vllm-openai:v0.31.0", "kubernetes")
    assert server.mounts == ("/root/.cache",)
    assert [(s.name, s.value) for s in server.env] == [("TP", "8"), ("HF_TOKEN", None)]
    assert words(scripted) == ["m", "--port", "1"]
    assert [(s.name, s.value) for s in scripted.env] == [("VLLM_A", "1")]


def test_values_of_a_chart_are_part_of_a_launch() -> None:
    text = """\
servingEngineSpec:
  modelSpec:
    - name: chat
      modelURL: m
      vllmConfig:
        tensorParallelSize: 8
        extraArgs: ["--swap-space", "4"]
"""
    launch = only(text, "values.yaml")
    assert words(launch) == ["--swap-space", "4"]
    assert not launch.whole


def test_templates_of_a_chart_are_not_guessed() -> None:
    text = """\
apiVersion: apps/v1
kind: Deployment
spec:
  {{- if .Values.x }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  containers:
    - image: "vllm/vllm-openai:{{ .Values.tag }}"
      args: ["--model", "m", "-tp", "{{ .Values.tp }}"]
"""
    assert words(only(text)) == ["--model", "m", "-tp", OPAQUE]


def test_a_configuration_file_becomes_words() -> None:
    text = """\
model: m
port: 1
enable_prefix_caching: false
enforce-eager: true
served-model-name: [a, b]
compilation-config:
  mode: 3
  pass_config: {fuse_norm_quant: true}
"""
    launch = only(text, "serve.yaml")
    assert words(launch) == [
        "m",
        "--port",
        "1",
        "--enforce-eager",
        "--served-model-name",
        "a",
        "b",
        "--compilation-config",
        '{"mode": 3, "pass_config": {"fuse_norm_quant": true}}',
    ]
    assert [(note.code, note.subject) for note in launch.notes] == [("yaml-false-dropped", "enable_prefix_caching")]


def test_an_env_file_has_no_command() -> None:
    launch = only("# cache\nexport VLLM_A=1\nVLLM_B='two words'\nVLLM_C=3 # why\n")
    assert [(s.name, s.value, s.line) for s in launch.env] == [
        ("VLLM_A", "1", 2),
        ("VLLM_B", "two words", 3),
        ("VLLM_C", "3", 4),
    ]
    assert not launch.whole


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a: [b", "x.yaml"),
        ("a: &a [*a, *a]", "x.yaml"),
        ("kind: Pod\nspec: {}", "x.yaml"),
        ("x" * (LONGEST_CHARS + 1), ""),
        ("", ""),
        ("FROM nginx\nCMD nginx", "Dockerfile"),
    ],
    ids=["open", "cycle", "no launch", "too long", "empty", "other image"],
)
def test_what_holds_no_launch_is_refused(text: str, name: str) -> None:
    with pytest.raises(UserError):
        read(text, name)


def test_anchors_that_unfold_without_end_are_refused() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    with pytest.raises(UserError, match="unfold"):
        read(f"kind: Pod\n{bomb}")


BRICKS = st.sampled_from(
    [
        "FROM vllm/vllm-openai\n",
        'CMD ["--model", "m"]\n',
        "ENV A=b\\\n",
        "services:\n",
        "  a:\n",
        "    image: vllm/vllm-openai\n",
        "    command: [--model, m]\n",
        "apiVersion: v1\n",
        "containers:\n",
        "- args: [--port, 1]\n",
        "  {{ .Values.x }}\n",
        "model: m\n",
        "port: 1\n",
        "&a ",
        "*a ",
        "<<: ",
        "- ",
        "\t",
        "}",
        '"',
        "\0",
        "\u2028",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(BRICKS, max_size=12), st.sampled_from(["", "Dockerfile", "x.yaml", "x.env", "x.sh"]))
def test_no_file_makes_it_crash(parts: list[str], name: str) -> None:
    with contextlib.suppress(UserError):
        read("".join(parts), name)
