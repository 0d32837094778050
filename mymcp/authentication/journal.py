"""The log line of a refusal: which method, and a class of reasons; nothing of the evidence."""

import logging

from mymcp.authentication.method import Refused

_logger = logging.getLogger("mymcp.authentication")


def log_refusal(refused: Refused) -> None:
    """Log that a request was answered with 401. Without evidence it may be a client's first try."""
    level = logging.INFO if refused.code == "no_evidence" else logging.WARNING
    adapter = "-" if refused.adapter_id is None else refused.adapter_id
    _logger.log(level, "authentication outcome=refused adapter=%s reason=%s", adapter, refused.code)
