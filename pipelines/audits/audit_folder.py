"""The folder of an audit that asks nothing: figures and reports, and no run."""

from pathlib import Path

from judge.errors import RunFolderError, plain_cause
from judge.schema.audits import Audit
from pipelines.files import AUDIT, MANIFEST, REPORT_HTML, REPORT_MARKDOWN, RunFolder, json_document, read_document
from pipelines.reports.page import Page
from pipelines.reports.pages import page_html, page_markdown


def check_audit_folder(folder: Path, kind: type[Audit]) -> None:
    """Refuse a folder that holds something other than an earlier audit of this kind. Raises RunFolderError."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise RunFolderError(f"{folder} is a file; name a folder with --out")
    if (folder / MANIFEST).exists():
        raise RunFolderError(f"{folder} holds a run, whose report would be written over; name another folder with --out")
    try:
        is_empty = not any(folder.iterdir())
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be read: {plain_cause(error)}") from error
    if not is_empty and not _holds(folder / AUDIT, kind):
        raise RunFolderError(f"{folder} holds something other than such an audit; name another folder with --out")


def write_audit(folder: Path, audit: Audit, page: Page) -> None:
    """Write the figures and both reports. Raises RunFolderError for a folder that holds something else, or cannot be written."""
    check_audit_folder(folder, type(audit))
    opened = RunFolder(folder)
    try:
        opened.write(AUDIT, [json_document(audit)])
        opened.write(REPORT_MARKDOWN, [page_markdown(page)])
        opened.write(REPORT_HTML, [page_html(page)])
    finally:
        opened.close()


def _holds(path: Path, kind: type[Audit]) -> bool:
    try:
        return path.is_file() and read_document(path, kind) is not None
    except RunFolderError:
        return False
