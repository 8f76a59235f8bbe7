"""Log records of the client libraries, without secrets: the one place that knows all secrets of this process.

A filter on a logger does not see the records of the loggers below it, and a handler may be anybody's. So records are
cleaned where they are made.
"""

import logging
import os
from collections.abc import Callable
from typing import Any

from judge.redaction import Redactor, environment_secrets

_FAMILIES = ("litellm", "instructor", "openai", "httpx", "httpcore", "aiohttp", "asyncio")
"""First parts of the names of loggers, in lower case, through which an endpoint's words or our headers could pass."""


class _CleanRecords:
    """Makes log records as before; those of the client libraries have no secrets in message and traceback."""

    def __init__(self, make: Callable[..., logging.LogRecord], redactor: Redactor) -> None:
        self._make = make
        self.redactor = redactor

    def __call__(self, *arguments: Any, **named: Any) -> logging.LogRecord:
        record = self._make(*arguments, **named)
        if record.name.lower().startswith(_FAMILIES):
            self._clean(record)
        return record

    def _clean(self, record: logging.LogRecord) -> None:
        try:
            message = record.getMessage()
        except Exception:  # noqa: BLE001 - a message that does not fit its arguments: logging reports that itself
            return
        record.msg, record.args = self.redactor.error(message), ()
        if record.exc_info:
            # A formatter takes this text where it is there already.
            record.exc_text = self.redactor.error(logging.Formatter().formatException(record.exc_info))


def keep_secrets_out_of_logs(redactor: Redactor) -> None:
    """From now on clean the client libraries' log records, also of these secrets."""
    factory = logging.getLogRecordFactory()
    if isinstance(factory, _CleanRecords):
        factory.redactor = factory.redactor.joined(redactor)
    else:
        logging.setLogRecordFactory(_CleanRecords(factory, redactor))


def process_redactor() -> Redactor:
    """Return a redactor of every secret that this process knows: its environment's, and the keys of its clients."""
    own = Redactor(environment_secrets(os.environ))
    factory = logging.getLogRecordFactory()
    return factory.redactor.joined(own) if isinstance(factory, _CleanRecords) else own
