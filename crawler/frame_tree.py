"""Which documents a tab holds, kept from DevTools events alone. Pure bookkeeping, no browser."""

from dataclasses import dataclass, field

from census.visit import TOP


@dataclass(slots=True)
class Frame:
    """A frame and what is known of the document in it."""

    frame_id: str
    parent: "Frame | None"
    session: object
    """The session that reaches this frame's document; its children start with the same one."""
    url: str = ""
    world: int | None = None
    """Our isolated world in the frame's document, once it was needed; it goes with the document."""
    children: "list[Frame]" = field(default_factory=list)

    @property
    def path(self) -> str:
        """`top`, `top.0`, `top.0.1`: the frame's place in the tree."""
        if self.parent is None:
            return TOP
        return f"{self.parent.path}.{self.parent.children.index(self)}"

    def walk(self) -> "list[Frame]":
        """This frame and everything under it, in tree order."""
        return [self, *(frame for child in self.children for frame in child.walk())]


class FrameTree:
    """The frames of one tab."""

    def __init__(self, top_id: str, session: object) -> None:
        self.top = Frame(top_id, None, session)
        self._frames = {top_id: self.top}

    def get(self, frame_id: str) -> Frame | None:
        """The frame with this id, if it is in the tree."""
        return self._frames.get(frame_id)

    def frames(self) -> list[Frame]:
        """Every frame, in tree order."""
        return self.top.walk()

    def attach(self, frame_id: str, parent_id: str, session: object) -> None:
        """A frame element was connected."""
        parent = self._frames.get(parent_id)
        if parent is None or frame_id in self._frames:
            return
        frame = Frame(frame_id, parent, session)
        parent.children.append(frame)
        self._frames[frame_id] = frame

    def move(self, frame_id: str, session: object) -> None:
        """The frame's document is now reached through another session (another process)."""
        frame = self._frames.get(frame_id)
        if frame is not None:
            self.clear(frame)
            frame.session = session
            frame.world = None

    def navigate(self, frame_id: str, url: str, session: object) -> Frame | None:
        """A new document in the frame; the frames of the old one are gone. Returns the frame."""
        frame = self._frames.get(frame_id)
        if frame is not None:
            self.clear(frame)
            frame.url = url
            frame.session = session
            frame.world = None
        return frame

    def detach(self, frame_id: str) -> list[str]:
        """The frame is gone with all that is under it. Returns the ids of all of them."""
        frame = self._frames.get(frame_id)
        if frame is None or frame.parent is None:
            return []
        frame.parent.children.remove(frame)
        gone = [each.frame_id for each in frame.walk()]
        for each in gone:
            del self._frames[each]
        return gone

    def clear(self, frame: Frame) -> None:
        """Forget the frames under a frame."""
        for child in list(frame.children):
            self.detach(child.frame_id)
