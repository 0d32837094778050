"""`mymcp doctor`: what `mymcp check` says, and the health of every file of the memory."""

from mymcp.cli.memory_lines import of_whole
from mymcp.cli.verdict import Inspection

main = Inspection(
    command="mymcp doctor",
    description="Say what mymcp check says, then look through every file of the memory: what"
    " cannot be served and why, who may change it, what should not be in it. Changes nothing, and"
    " may run beside a server.",
    all_well="all is well",
    memory=of_whole,
).run
