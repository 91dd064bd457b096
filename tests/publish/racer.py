"""One of many publishers, in a process that has loaded what it needs before the race."""

import os
from pathlib import Path
from typing import Any

import huggingface_hub.constants

from publish.payload import read_payload
from publish.places import directory, hub, s3  # noqa: F401 -- loaded before the race
from publish.places.place import open_place


def publish_at_once(to: str, folder: Path, environment: dict[str, str], barrier: Any, answers: Any) -> None:
    """Publish when all others are ready too; what came of it goes into the queue."""
    os.environ.update(environment)
    huggingface_hub.constants.HF_HUB_DISABLE_XET = True
    try:
        payload, place = read_payload(folder), open_place(to)
        barrier.wait(timeout=120)
        ending = str(place.publish(payload).status)
    except Exception as error:  # noqa: BLE001 -- the answer says which
        name = type(error).__name__
        ending = name if name == "VersionTakenError" else f"{name}: {error}"
    answers.put((folder.name, ending))
