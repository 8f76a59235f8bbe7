"""The fault matrix as data: 42 faults, and what each must come to."""

from tests.faults.endpoint_rows import ENDPOINT_ROWS
from tests.faults.run_rows import RUN_ROWS

ROWS = (*ENDPOINT_ROWS, *RUN_ROWS)
