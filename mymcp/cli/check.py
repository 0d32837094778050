"""`mymcp check`: what would start, and what is wrong, without serving."""

from mymcp.cli.memory_lines import of_root
from mymcp.cli.verdict import Inspection

main = Inspection(
    command="mymcp check",
    description="Say what mymcp would serve and what is wrong, without serving. Changes nothing.",
    all_well="this would start",
    memory=of_root,
).run
