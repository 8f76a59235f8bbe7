"""Ask pip-audit for known vulnerabilities of what is installed: `python .ci/audit.py PIP_AUDIT SITE_PACKAGES`.

Exit code 1 for a vulnerability that `audit-ignored.txt` does not answer. Where no data can be had, as without a network, the
check says so and passes: it must neither hang nor stop the tests.
"""

import json
import subprocess
import sys
from pathlib import Path

IGNORED = Path(__file__).with_name("audit-ignored.txt")
SECONDS = 180


def ignored() -> dict[str, str]:
    """Return the reason for each advisory that is answered."""
    lines = (line.strip() for line in IGNORED.read_text(encoding="utf-8").splitlines())
    return {name: reason for name, _, reason in (line.partition(" ") for line in lines if line and not line.startswith("#"))}


def audited(tool: str, folder: str) -> list[dict]:
    """Return what pip-audit says of each package. Raises OSError, TimeoutExpired or ValueError where it says nothing."""
    flags = ["--path", folder, "--format", "json", "--progress-spinner", "off", "--timeout", "10"]
    flags += [part for name in ignored() for part in ("--ignore-vuln", name)]
    done = subprocess.run([tool, *flags], capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 - .ci/run names it
    return json.loads(done.stdout)["dependencies"]


def main(tool: str, folder: str) -> int:
    """Print what was found and return the exit code."""
    try:
        packages = audited(tool, folder)
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        print(f"audit: not done, pip-audit said nothing ({type(error).__name__})")  # noqa: T201
        return 0
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        print(f"audit: not done, there are no data here for any of {len(packages)} packages")  # noqa: T201
        return 0
    found = [f"{package['name']} {package['version']}: {fault['id']}" for package in known for fault in package["vulns"]]
    found = [line for line in found if line.rpartition(" ")[2] not in ignored()]
    for line in found:
        print(f"audit: {line}")  # noqa: T201
    print(f"audit: {len(known)} of {len(packages)} packages looked up, {len(found)} vulnerabilities, {len(ignored())} known ones set aside")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
