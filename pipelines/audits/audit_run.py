"""What audits that ask a judge have in common: a run folder, propositions, progress, an end with figures and reports."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict

from judge.errors import ConfigError, StorageError
from judge.schema.audits import Audit, AuditedJudge
from judge.schema.manifests import GateResult, InputFacts, RunManifest
from judge.schema.rates import Rate
from judge.schema.summaries import UsageSummary
from pipelines.audits.subjects import audit_disclosure, audited_judge
from pipelines.ending import INCOMPLETE, exit_code
from pipelines.files import AUDIT, MANIFEST, REPORT_HTML, REPORT_MARKDOWN, json_document
from pipelines.open_run import Cast, Ending, OpenRun, Progress, Setup
from pipelines.reports.page import Page
from pipelines.reports.pages import page_html, page_markdown


class AuditOutcome(NamedTuple):
    """What an audit came to."""

    folder: Path
    audit: Audit
    page: Page
    manifest: RunManifest
    exit_code: int


class AuditHead(TypedDict):
    """What the figures of every audit begin with; see `Audit`."""

    judge: AuditedJudge
    data: InputFacts
    complete: bool
    usage: UsageSummary
    warnings: tuple[str, ...]
    disclosure: str


def head_of(run: OpenRun, warnings: Iterable[str], *, complete: bool) -> AuditHead:
    """Return who was audited, on what and at which cost; `warnings` are those of the audit beside those of the run."""
    return AuditHead(
        judge=audited_judge(run.cast.facts),
        data=InputFacts(name=run.source.name, sha256=run.source.sha256, items=run.source.count),
        complete=complete,
        usage=run.usage.summary(),
        warnings=tuple(dict.fromkeys([*run.warnings, *warnings])),
        disclosure=audit_disclosure(run.cast.facts.identities["label"]),
    )


class AuditFlow(Protocol):
    """One kind of audit: what it asks within an open run, and what it makes of the answers."""

    def ask(self, run: OpenRun) -> AsyncGenerator[Progress, None]:
        """Ask everything, yielding progress."""
        ...

    def coverage(self) -> Rate:
        """Return how much of what was asked was judged."""
        ...

    def gates(self) -> tuple[GateResult, ...]:
        """Return the bounds that decide the exit code; none where the user set none."""
        ...

    def audit(self, run: OpenRun, *, complete: bool) -> Audit:
        """Return the figures."""
        ...

    def page(self, audit: Audit) -> Page:
        """Return the figures as a report."""
        ...


async def run_audit(setup: Setup, cast: Cast, flow: AuditFlow) -> AsyncGenerator[Progress | AuditOutcome, None]:
    """Make an audit in its folder, yielding progress and at the end the outcome; a folder of the same audit is resumed.

    Raises ConfigError, InputError, CacheError or RunFolderError before the first call; afterwards whatever happens ends in an
    outcome, unless there is no room to write it: then StorageError is raised.
    """
    async with AsyncExitStack() as stack:
        for built in cast.builts:
            stack.push_async_callback(built.close)
        run = OpenRun(setup, cast)
        run.open(stack)
        try:
            for events in (run.decompose(), flow.ask(run)):
                async with aclosing(events):
                    async for progress in events:
                        yield progress
        except ConfigError:
            run.give_up()
            raise
        except StorageError as error:
            # Calls under way are given up: what they come to could not be kept.
            setup.stop.now(str(error), INCOMPLETE)
            raise
        yield _finished(run, flow)


def _finished(run: OpenRun, flow: AuditFlow) -> AuditOutcome:
    """Write the figures, the reports and the manifest."""
    run.propositions.close()
    share = flow.coverage().value
    complete = run.stop.reason is None and (share is None or share >= run.config.min_coverage)
    gates = flow.gates()
    code = exit_code(gates, run.stop, is_complete=complete, is_silent=run.usage.is_silent)
    manifest = run.finished_manifest(Ending(code, gates))
    audit = flow.audit(run, complete=complete)
    page = flow.page(audit)
    run.folder.write(AUDIT, [json_document(audit)])
    run.folder.write(REPORT_MARKDOWN, [page_markdown(page)])
    run.folder.write(REPORT_HTML, [page_html(page)])
    run.folder.write(MANIFEST, [json_document(manifest)])
    return AuditOutcome(run.out, audit, page, manifest, code)
