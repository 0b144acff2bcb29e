"""What a server or its SDK did wrong, as an error that names model and server and holds no key."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.base.secrets import redact
from veridical.models.exchange import Model, ProviderError
from veridical.models.providers.errors import (
    Blocked,
    WireError,
    http_error,
    of_prompt,
    of_template,
)
from veridical.models.providers.filters import filter_verdict

_TRANSPORTS = ("httpx2", "httpcore2", "anyio", "h11")  # under the SDKs


class Reporting:
    """A provider that speaks to a server, as far as it reports what went wrong there."""

    model: Model
    url: str
    key_env: str | None
    timeout: float
    _environ: Mapping[str, str]

    def error(
        self,
        message: str,
        *,
        transient: bool = True,
        retry_after: float | None = None,
        of_prompt: bool = False,
    ) -> ProviderError:
        """A ProviderError that names model and server and holds no key."""
        text = self.struck(f"{self.who}: {message}")
        return ProviderError(
            text, transient=transient, retry_after=retry_after, of_prompt=of_prompt
        )

    @property
    def who(self) -> str:
        """Model and server, for messages."""
        return f"model {self.model.name!r} ({self.model.provider}, {self.url})"

    def struck(self, text: str) -> str:
        """A text without any key, the server's own among them, whatever its variable is called."""
        return redact(text, self._environ, [self.key_env or ""])

    def shown(self, text: str) -> str:
        """The beginning of a text, struck before it is cut: half a key is a key's half."""
        return repr(self.struck(text)[:200])

    def failed(self, status: int, message: str, headers: Mapping[str, str]) -> ProviderError:
        """The error for an HTTP status (or an error inside a 200 that amounts to one).

        `Blocked` where it is a filter's verdict.
        """
        message = self.struck(message)
        explained, transient, wait = http_error(
            status, message, headers, model=self.model.model, key_env=self.key_env
        )
        if verdict := filter_verdict(status, message):
            return Blocked(f"{self.who}: {explained}", verdict)
        alone = not transient and of_prompt(status, message)
        error = self.error(explained, transient=transient, retry_after=wait, of_prompt=alone)
        error.of_template = of_template(status, message)
        return error

    def translate(self, error: Exception) -> ProviderError:
        """What an SDK or its transport raised, as a ProviderError."""
        kind, response = type(error), getattr(error, "response", None)
        if isinstance(error, ProviderError):
            return error
        for cause in (error, error.__cause__, error.__context__):
            if isinstance(cause, WireError):
                return self.error(str(cause), transient=cause.transient)
        if "Timeout" in kind.__name__:
            return self.error(f"no answer within {self.timeout:g} s")
        if getattr(response, "status_code", 200) >= 400:
            return self.failed(response.status_code, response.text, dict(response.headers))
        transport = kind.__module__.partition(".")[0] in _TRANSPORTS or isinstance(error, OSError)
        if transport or "Connection" in kind.__name__:
            cause = error.__cause__ or error
            return self.error(f"the connection failed ({type(cause).__name__}: {cause})")
        return self.error(f"{kind.__name__}: {error}", transient=False)
