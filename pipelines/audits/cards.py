"""`judge audit card`: the audits of one judge on one page, and several such cards in a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from judge.auditing.pooling import goes_by, pool
from judge.errors import ConfigError, plain_cause
from judge.schema.agreements import Agreement
from judge.schema.audits import Audit
from judge.schema.calibrations import Calibration
from judge.schema.cards import JudgeCard
from judge.schema.consistency import Consistency
from judge.schema.probes import Probes
from pipelines.audits.card_folders import KINDS, AuditFolder
from pipelines.audits.card_limits import limits_of
from pipelines.audits.card_parts import agreement_part, consistency_part, cost_part, policy_agreements, policy_swings, probes_part
from pipelines.files import AUDIT, json_document, read_document, write_atomically
from pipelines.reports.card_page import card_page
from pipelines.reports.page import Page
from pipelines.reports.pages import page_html, page_markdown

CARD_JSON, CARD_MARKDOWN, CARD_HTML = "card.json", "card.md", "card.html"


class Choice(NamedTuple):
    """What the calibration of a card is made of: the policy, and the data sets by file name; all of them unless named."""

    policy: str | None = None
    data: tuple[str, ...] = ()


def is_card(path: Path) -> bool:
    """Return whether a path is a judge card, or a folder that holds one and no audit."""
    if path.is_dir():
        return (path / CARD_JSON).is_file() and not (path / AUDIT).is_file()
    return path.is_file() and path.name != AUDIT


def read_card(path: Path) -> JudgeCard:
    """Return a card. Raises RunFolderError for a file that is none."""
    return read_document(path / CARD_JSON if path.is_dir() else path, JudgeCard)


def make_card(folders: Sequence[AuditFolder], choice: Choice) -> JudgeCard:
    """Return the card of some audits of one judge. Raises ConfigError for a data set or a policy that none of them has labels on."""
    audits = [folder.audit for folder in folders]
    agreements = [audit for audit in audits if isinstance(audit, Agreement)]
    steady = [audit for audit in audits if isinstance(audit, Consistency)]
    probes = [audit for audit in audits if isinstance(audit, Probes)]
    pooled = pool(_calibrations(agreements, choice), choice.policy)
    kinds = {audit.audit for audit in audits}
    return JudgeCard(
        judge=audits[0].judge,
        key=audits[0].judge.key,
        policies=tuple(dict.fromkeys(audit.judge.policy for audit in audits)),
        consistency=tuple(map(consistency_part, steady)) or None,
        agreement=tuple(map(agreement_part, agreements)) or None,
        probes=tuple(map(probes_part, probes)) or None,
        policy_swing=tuple(swing for audit in steady for swing in policy_swings(audit)),
        policy_agreement=tuple(policy_agreements(agreements)),
        cost=tuple(cost for folder in folders if (cost := cost_part(folder)) is not None),
        not_audited=tuple(kind for kind in KINDS if kind not in kinds),
        limits=tuple(dict.fromkeys(limits_of(folders, pooled.calibration))),
        calibration=pooled.calibration,
        warnings=(
            *pooled.notes,
            *dict.fromkeys(f"{audit.audit} on {audit.data.name}: {told}" for audit in audits for told in audit.warnings),
        ),
        disclosure=_disclosure(audits),
    )


def write_card(card: JudgeCard, out: Path) -> Page:
    """Write a card into a folder as JSON, Markdown and HTML, and return it as a page. Raises ConfigError where it cannot be written."""
    page = card_page(card)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in ((CARD_JSON, json_document(card)), (CARD_MARKDOWN, page_markdown(page)), (CARD_HTML, page_html(page))):
            write_atomically(out / name, [text])
    except OSError as error:
        raise ConfigError(f"--out {out} cannot be written: {plain_cause(error)}") from error
    return page


def _calibrations(agreements: Sequence[Agreement], choice: Choice) -> list[Calibration]:
    known = [(audit.data.name, audit.calibration) for audit in agreements if audit.calibration is not None]
    if missing := [name for name in choice.data if name not in {name for name, _ in known}]:
        there = ", ".join(dict.fromkeys(name for name, _ in known)) or "none"
        raise ConfigError(f"--calibrate-on {missing[0]}: no such data set with labelled statements; there are: {there}")
    found = [calibration for name, calibration in known if not choice.data or name in choice.data]
    if choice.policy is not None and not any(goes_by(one, choice.policy) for one in found):
        there = ", ".join(dict.fromkeys(one.policy for one in found)) or "none"
        raise ConfigError(f"--policy {choice.policy}: no statement was labelled by people and judged under it; there are: {there}")
    return found


def _disclosure(audits: Sequence[Audit]) -> str:
    """Return what any of the audits discloses, each part once: they differ in policy, and in what was made of the judge."""
    return "; ".join(dict.fromkeys(part for audit in audits for part in audit.disclosure.split("; ")))
