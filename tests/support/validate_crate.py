"""Validates a crate with roc-validator, offline; run by the interpreter that has it installed.

    <venv>/bin/python tests/support/validate_crate.py FOLDER CONTEXT [SEVERITY]

CONTEXT is a JSON-LD context that stands for https://w3id.org/ro/crate/1.1/context; it and the
Workflow Run terms are put into the validator's HTTP cache, from which it is then served.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from pathlib import Path

from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from rocrate_validator import services
from rocrate_validator.models import Severity, ValidationSettings
from urllib3 import HTTPResponse

CRATE = "https://w3id.org/ro/crate/1.1/context"
RUN = "https://w3id.org/ro/terms/workflow-run/context"
TERMS = ("ParameterConnection", "connection", "sourceParameter", "targetParameter")
TERMS += ("md5", "sha1", "sha256", "sha512")
RUN_CONTEXT = {term: f"https://w3id.org/ro/terms/workflow-run#{term}" for term in TERMS}


class Canned(HTTPAdapter):
    """Answers the two addresses, and nothing else, without a network."""

    def __init__(self, pages: dict[str, object]):
        super().__init__()
        self.pages = pages

    def send(self, request, **_):
        body = json.dumps({"@context": self.pages[request.url]}).encode()
        raw = HTTPResponse(
            io.BytesIO(body),
            headers={"Content-Type": "application/ld+json"},
            status=200,
            preload_content=False,
            request_url=request.url,
        )
        return self.build_response(request, raw)


def seed(cache: Path, context: object) -> None:
    """Put both contexts into the cache as if they had been fetched."""
    session = CachedSession(cache_name=str(cache), expire_after=-1)
    session.mount("https://", Canned({CRATE: context, RUN: RUN_CONTEXT}))
    for url in (CRATE, RUN):
        session.get(url)


def main(folder: str, context: str, severity: str = "RECOMMENDED") -> int:
    """Validate against the Workflow Run Crate profile; print what fails; 0 where nothing does."""
    terms = json.loads(Path(context).read_text())["@context"]
    with tempfile.TemporaryDirectory() as temporary:
        cache = Path(temporary) / "http_cache"
        seed(cache, terms)
        settings = ValidationSettings(
            rocrate_uri=folder,
            profile_identifier="workflow-run-crate-0.5",
            requirement_severity=Severity.get(severity),
            cache_path=cache,
            cache_max_age=-1,
            offline=True,
        )
        result = services.validate(settings)
        for issue in result.get_issues():
            print(issue.severity.name, issue.check.identifier, issue.message, issue.violatingEntity)
        print("passed" if result.passed() else "failed", len(result.executed_checks), "checks")
        return 0 if result.passed() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
