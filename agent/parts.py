"""The corpus seen as a diagnosis: by symptom and cause, for one release."""

from collections.abc import Iterable, Iterator

from knowledge.corpus.claim import Claim, ClaimId
from knowledge.versions import in_range


class Parts:
    """Claims that play a part in a diagnosis and hold for a release.

    Args:
        claims: The whole corpus.
        release: Claims whose range does not hold for it are left out, as are withdrawn ones.
    """

    def __init__(self, claims: Iterable[Claim], release: str) -> None:
        self._claims = [c for c in claims if not c.head.withdrawn and in_range(release, c.head.applies)]

    def holds(self, claim_id: ClaimId) -> bool:
        """Whether a claim exists, stands, and holds for the release."""
        return any(claim.id == claim_id for claim in self._claims)

    def symptoms(self) -> Iterator[Claim]:
        """Symptom claims, in corpus order."""
        return (claim for claim in self._claims if claim.head.symptom)

    def signs(self) -> Iterator[Claim]:
        """All sign claims."""
        return (claim for claim in self._claims if claim.head.sign)

    def explaining(self, cause: str) -> list[Claim]:
        """Claims that explain a cause."""
        return [c for c in self._claims if c.head.cause and c.head.cause.id == cause]

    def showing(self, cause: str) -> list[Claim]:
        """Claims that tell how to see a cause."""
        return [c for c in self._claims if c.head.sign and c.head.sign.cause == cause]

    def moving(self, cause: str) -> list[Claim]:
        """Levers on a cause: what eases it now first, and of those what needs no restart."""
        levers = [c for c in self._claims if c.head.lever and cause in c.head.lever.causes]
        return sorted(levers, key=_urgency)

    def lowering(self, metric: str, direction: str) -> list[Claim]:
        """Levers that move a metric (`TTFT`) in a direction (`down`)."""
        wanted = f"{metric} {direction}".lower()
        return [c for c in self._claims if c.head.lever and wanted in (m.lower() for m in c.head.lever.moves)]


def _urgency(claim: Claim) -> tuple[bool, bool]:
    lever = claim.head.lever
    return (lever is None or lever.stage != "mitigate", lever is None or lever.restart)
