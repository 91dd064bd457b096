"""The files that start a crawl on machines: what they promise of the containers, and that compose can read them."""

import re
from pathlib import Path
from typing import Any

import compose_spec
import pytest
import yaml

ROOT = Path(__file__).parents[1]
COMPOSE = ROOT / "deploy" / "compose.yaml"
SERVICES = yaml.safe_load(COMPOSE.read_text())["services"]
OURS = ("begin", "worker")


def interpolated() -> dict[str, Any]:
    """The file as compose has it with nothing but defaults in the environment, its extensions (`x-…`) left out."""
    text = re.sub(r"\$\{\w+:[-?]([^}]*)\}", r"\1", COMPOSE.read_text())
    return {name: value for name, value in yaml.safe_load(text).items() if not name.startswith("x-")}


def test_the_compose_file_is_one_by_the_specification():
    assert set(compose_spec.PyCompose.from_yaml(yaml.safe_dump(interpolated())).service_names()) == set(SERVICES)


def test_a_service_with_a_word_that_compose_does_not_know_is_no_compose_file():
    wrong = interpolated()
    wrong["services"]["worker"]["replicaz"] = 3
    with pytest.raises(ValueError, match="replicaz"):
        compose_spec.PyCompose.from_yaml(yaml.safe_dump(wrong))


@pytest.mark.parametrize("name", OURS)
def test_what_opens_pages_can_write_nowhere_but_in_memory_and_has_no_privilege(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not service["user"].startswith("0")
    assert all(mount["read_only"] for mount in service.get("volumes", []))


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_is_privileged_or_holds_a_secret_in_its_environment(name):
    service = SERVICES[name]
    assert "privileged" not in service
    assert "cap_add" not in service
    for key, value in service["environment"].items() if "environment" in service else ():
        assert not any(word in key for word in ("PASSWORD", "SECRET", "ACCESS_KEY")) or key.endswith("_FILE"), key
        assert not re.search(r"://[^/@]*:[^/@]*@", str(value)), "a password in an address"


@pytest.mark.parametrize("name", ["postgres", "store", "worker"])
def test_what_runs_for_long_has_limits_and_a_health_check(name):
    limits = SERVICES[name]["deploy"]["resources"]["limits"]
    assert {"cpus", "memory"} <= limits.keys()
    assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"


def test_only_workers_reach_the_web():
    networks = yaml.safe_load(COMPOSE.read_text())["networks"]
    assert networks["inside"]["internal"] is True
    assert SERVICES["postgres"]["networks"] == SERVICES["store"]["networks"] == ["inside"]


def test_no_secret_file_goes_into_the_image():
    assert "deploy/secrets" in (ROOT / ".dockerignore").read_text().splitlines()
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
