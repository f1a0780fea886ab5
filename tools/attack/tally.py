"""What an attack counts: mechanisms, analyses, the worst difference of each kind, refusals by reason, and what was wrong quietly."""
from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Finding:
    """Numbers that are wrong without a word."""
    seed: int
    family: str
    check: str
    kind: str
    error: float
    allowed: float
    commands: list[str]
    models: dict[str, str]               # file name to text
    note: str = ""

    def line(self) -> str:
        return f"seed {self.seed} ({self.family}): {self.check}: {self.kind} off by {self.error:.2g}, allowed {self.allowed:.2g}{self.note}"


@dataclass
class Tally:
    mechanisms: Counter = field(default_factory=Counter)
    analyses: Counter = field(default_factory=Counter)
    compared: Counter = field(default_factory=Counter)
    worst: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)
    refusals: Counter = field(default_factory=Counter)
    not_compared: Counter = field(default_factory=Counter)
    sensitive: int = 0
    findings: list[Finding] = field(default_factory=list)
    slow: list[Finding] = field(default_factory=list)          # no answer in time: not wrong, but kept

    def add(self, other: "Tally") -> None:
        for mine, its in ((self.mechanisms, other.mechanisms), (self.analyses, other.analyses), (self.compared, other.compared),
                          (self.refusals, other.refusals), (self.not_compared, other.not_compared)):
            mine.update(its)
        self.sensitive += other.sensitive
        self.findings += other.findings
        self.slow += other.slow
        for key, found in other.worst.items():
            if key not in self.worst or found[0] > self.worst[key][0]:
                self.worst[key] = found

    def agreed(self, check: str, kind: str, error: float, seed: int) -> None:
        if (check, kind) not in self.worst or error > self.worst[check, kind][0]:
            self.worst[check, kind] = (error, seed)

    def record(self, file: Path, seeds: str) -> None:
        """Adds these counts to those of a file: a long attack is run in pieces."""
        old = json.loads(file.read_text()) if file.exists() else {"seeds": [], "counts": {}, "worst": {}, "wrong": 0, "sensitive": 0}
        for name in ("mechanisms", "analyses", "compared", "refusals", "not_compared"):
            old["counts"][name] = dict(sorted((Counter(old["counts"].get(name, {})) + getattr(self, name)).items()))
        for (check, kind), (error, _) in sorted(self.worst.items()):
            kinds = old["worst"].setdefault(check, {})
            kinds[kind] = max(kinds.get(kind, 0.0), float(f"{error:.0e}"))
        old["seeds"].append(seeds)
        old["wrong"] += len(self.findings)
        old["sensitive"] += self.sensitive
        file.write_text(json.dumps(old, indent=1, sort_keys=True) + "\n")

    def text(self) -> str:
        lines = [f"{sum(self.mechanisms.values())} mechanisms: " + ", ".join(f"{n} {f}" for f, n in sorted(self.mechanisms.items())),
                 f"{sum(self.analyses.values())} analyses: " + ", ".join(f"{n} {a}" for a, n in self.analyses.most_common()), "",
                 f"{'comparison':28} {'times':>8}   worst difference by kind (seed)"]
        for check in sorted(self.compared):
            kinds = [f"{k} {e:.0e} ({s})" for (c, k), (e, s) in sorted(self.worst.items()) if c == check]
            lines.append(f"{check:28} {self.compared[check]:8}   {', '.join(kinds)}")
        lines += ["", f"{self.sensitive} differences explained by how sensitive the motion is; not compared: "
                  + (", ".join(f"{n} {why}" for why, n in self.not_compared.most_common()) or "none")]
        lines += ["", f"{sum(self.refusals.values())} refusals:"] + [f"{n:8}  {why}" for why, n in self.refusals.most_common()]
        lines += ["", f"{len(self.findings)} wrong quietly, of {len({f.seed for f in self.findings})} mechanisms"]
        lines += ["  " + f.line() for f in sorted(self.findings, key=lambda f: (f.check, f.kind, f.seed))[:200]]
        return "\n".join(lines)
