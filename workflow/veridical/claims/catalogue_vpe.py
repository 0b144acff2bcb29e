"""What the product can state of path entropy, with a document beside it, and under mode maps."""

from __future__ import annotations

from veridical.claims.claim import Claim

PATHS = (
    Claim(
        "vpe.apart",
        "vpe/leads",
        "finding",
        ("apart",),
        ("apart",),
        "horizons and presets",
    ),
    Claim(
        "vpe.document_changes",
        "vpe/document",
        "finding",
        ("more", "less"),
        (
            *("document_verified_more", "document_verified_less"),
            *("document_ways_more", "document_ways_less"),
        ),
        "models, horizons and measures",
    ),
    Claim(
        "vpe.document_same",
        "vpe/document",
        "finding",
        ("same",),
        ("document_verified_same", "document_ways_same"),
        "models, horizons and measures",
    ),
    Claim(
        "vpe.maps_apart",
        "vpe/map_contrasts",
        "finding",
        ("more", "less"),
        ("maps_more",),
        "mode maps, horizons and pairs of models",
    ),
    Claim(
        "vpe.maps_same",
        "vpe/map_contrasts",
        "finding",
        ("same",),
        ("maps_same",),
        "mode maps, horizons and pairs of models",
    ),
)
