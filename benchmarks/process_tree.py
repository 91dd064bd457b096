"""CPU seconds of everything that a program starts, whatever becomes of its processes.

A process that ended and was waited for lives on in its parent's `children` times, and one that was not is a
zombie with times of its own; so over a whole tree own times plus children's times lose nothing between two
readings. Orphans come to this process (it is made a subreaper), which waits for them and so keeps their times.
"""

import ctypes
import os
import time

import psutil

_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> None:
    """Have orphaned descendants reparented to this process, so that none leaves the tree (Linux)."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


class ProcessTree:
    """All descendants of this process, living and dead, except those that are named as no part of it."""

    def __init__(self, *without: int) -> None:
        self._self = psutil.Process()
        self._without = frozenset(without)

    def cpu_seconds(self) -> float:
        """User and system time that the tree has used so far. Only differences of two readings mean anything."""
        while True:
            before = self._processes()
            seconds = self._sum(before)
            # A process that ended meanwhile might be counted with its parent's children as well, or not at all.
            if seconds is not None and {p.pid for p in before} == {p.pid for p in self._processes()}:
                return seconds
            time.sleep(0.005)

    def by_kind(self) -> dict[str, float]:
        """The same time, by what the processes are: `python`, `node`, `browser`, `renderer` and so on."""
        seconds: dict[str, float] = {}
        for process in self._processes():
            try:
                kind, times = _kind(process), process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            seconds[kind] = seconds.get(kind, 0.0) + times.user + times.system
            ended = f"ended under {kind}"
            seconds[ended] = seconds.get(ended, 0.0) + times.children_user + times.children_system
        return seconds

    def wait_for_all(self, root: int) -> float:
        """Wait until the root process and every orphan of the tree has ended; the kernel's count of their seconds."""
        _, status, usage = os.wait4(root, 0)
        seconds = usage.ru_utime + usage.ru_stime
        while orphans := [p.pid for p in self._self.children() if p.pid not in self._without]:
            _, _, usage = os.wait4(orphans[0], 0)
            seconds += usage.ru_utime + usage.ru_stime
        if status != 0:
            raise RuntimeError(f"a block ended with status {os.waitstatus_to_exitcode(status)}")
        return seconds

    def _processes(self) -> list[psutil.Process]:
        found: list[psutil.Process] = []
        for child in self._self.children():
            if child.pid not in self._without:
                try:
                    found += [child, *child.children(recursive=True)]
                except psutil.NoSuchProcess:
                    found.append(child)
        return found

    def _sum(self, processes: list[psutil.Process]) -> float | None:
        own = self._self.cpu_times()
        seconds = own.children_user + own.children_system
        try:
            for process in processes:
                times = process.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
        except psutil.NoSuchProcess:
            return None
        return float(seconds)


def _kind(process: psutil.Process) -> str:
    try:
        words = process.cmdline()
    except psutil.ZombieProcess:
        return "zombie"
    for word in words:
        if word.startswith("--type="):
            return word.removeprefix("--type=")
    name = process.name()
    return "browser" if "chrom" in name or "headless" in name else name
