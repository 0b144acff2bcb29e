"""Who answers: one file a provider, found by its name and imported only when used.

The provider `some-name` lives in `some_name.py` here, as the class `Provider`.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from veridical.base.schema import provider_files
from veridical.models.exchange import Model, Provider


def provider_names() -> list[str]:
    """The providers there are, sorted, without importing any of them."""
    return list(provider_files())


def open_provider(
    model: Model, *, environ: Mapping[str, str] = os.environ, **context: Any
) -> Provider:
    """The provider that answers for a model, as an asynchronous context manager.

    `environ` is where keys are read from, when the provider is entered. `context` holds what
    the study knows and the model's config entry doesn't: `models_folder` and `threads` for
    the embedded model, `batches` (a folder) for a model with option `batch`; a provider passes
    over what it has no use for.

    Raises ValueError where the provider is unknown (naming the nearest) or the config entry
    doesn't suit it.
    """
    names = provider_names()
    if model.provider not in names:
        near = difflib.get_close_matches(model.provider, names, n=1, cutoff=0.0)
        raise ValueError(
            f"model {model.name!r}: unknown provider {model.provider!r}; "
            f"did you mean {near[0]!r}? There are {', '.join(names)}."
        )
    module = import_module(f"veridical.models.providers.{model.provider.replace('-', '_')}")
    folder = context.pop("batches", "data/ledger/batches")
    provider = module.Provider(model, environ=environ, **context)
    if not model.options.get("batch"):
        return provider
    from veridical.models.providers.batching import Batching

    return Batching(provider, folder)
