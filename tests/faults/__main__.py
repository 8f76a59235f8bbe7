"""Write the table of the fault matrix into `docs/reliability.md`: `python -m tests.faults`."""

from tests.faults.page import PAGE, with_table

if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
