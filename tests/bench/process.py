"""What a process costs: processor time and memory, as the kernel accounts for them."""

import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.figure import Unmeasurable


def processor_seconds(pid: int) -> float:
    """Return the processor time of a running process: all its threads, also those that ended.

    This is what clock_getcpuclockid(3) does; /proc/<pid>/stat would count in steps of 10 ms.
    """
    return time.clock_gettime((~pid << 3) | 2)


def resident_mebibytes(pid: int) -> float:
    """Return the memory of a running process that is in RAM."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    kibibytes = next(line.split()[1] for line in lines if line.startswith("VmRSS:"))
    return int(kibibytes) / 1024


def is_told_of_changes(pid: int) -> bool:
    """Tell whether a running process has asked the kernel to report changes of files."""
    descriptors = Path(f"/proc/{pid}/fd").iterdir()
    return any(str(each.readlink()) == "anon_inode:inotify" for each in descriptors)


def processor_seconds_of(command: Sequence[str], directory: Path) -> float:
    """Run `command` to its end and return its processor time, that of its children included.

    Raises:
        Unmeasurable: the command failed; its output is the message.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, check=False, timeout=120
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Unmeasurable(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
