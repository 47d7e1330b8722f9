"""anax: how long would an MPI application run on a dragonfly that need not exist yet?

    import anax
    run = anax.replay("traces.otf2", "kim-1k", {"network.routing": "ugal-l"})
    print(run.time_s)
    run.frame("ranks").plot(x="rank", y="time_ps")

Results are those of the command, digest for digest. Functions raise `AnaxError` with the text of the
library. A trace that is used several times is best opened once, with `open_trace`.
"""

from ._library import (
    NONE,
    AnaxError,
    InputError,
    OutOfMemory,
    OutputExists,
    RunError,
    StateError,
    Stopped,
    SystemFault,
    UsageError,
)
from ._objects import (
    Comparison,
    Diff,
    Placement,
    Replay,
    Topology,
    Trace,
    Traffic,
    choices,
    compare,
    diff,
    generate,
    open_trace,
    place,
    replay,
    topology,
    traffic,
    version,
)
from ._report import Figure, Report
from ._tables import Table

__version__ = version()

__all__ = [
    "NONE",
    "AnaxError",
    "Comparison",
    "Diff",
    "Figure",
    "InputError",
    "OutOfMemory",
    "OutputExists",
    "Placement",
    "Replay",
    "Report",
    "RunError",
    "StateError",
    "Stopped",
    "SystemFault",
    "Table",
    "Topology",
    "Trace",
    "Traffic",
    "UsageError",
    "choices",
    "compare",
    "diff",
    "generate",
    "open_trace",
    "place",
    "replay",
    "topology",
    "traffic",
    "version",
]
