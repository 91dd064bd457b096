"""All behaviours there are, in the order of the matrix."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from measure.compatibility import behaviours
from measure.compatibility.behaviour import Behaviour, Topic


def all_behaviours() -> tuple[Behaviour, ...]:
    """Every declared behaviour, by topic and then as its module has them."""
    return tuple(behaviour for topic in Topic if topic in _modules() for behaviour in _of(topic))


def _modules() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(behaviours.__path__))


def _of(topic: Topic) -> tuple[Behaviour, ...]:
    module: ModuleType = import_module(f"{behaviours.__name__}.{topic.value}")
    declared: tuple[Behaviour, ...] = module.BEHAVIOURS
    return declared
