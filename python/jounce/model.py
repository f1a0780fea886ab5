"""Models in code: the words of the model file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from . import _engine
from ._words import unknown
from .mechanism import Mechanism

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    import tomli as tomllib  # type: ignore[import-not-found, no-redef, unused-ignore]

Value: TypeAlias = float | int | bool | str | Sequence[Any] | Mapping[str, Any]
"""A number, an expression, a reference, a list or a table, as the model file writes them."""

# the sections of elements, and whether an element has a type
_SECTIONS = {"bodies": False, "joints": True, "drivers": True, "couplings": False, "loops": True, "forces": True, "stops": False, "events": False}
_PLAIN = ("parameters", "measures", "goals")
_ORDER = ("jounce", "name", "space", "gravity", *_PLAIN, "ground", "bodies", "joints", "drivers", "couplings", "loops", "base", "actuators", "forces", "stops", "events", "run")


class Model:
    """A model that is written in code. Keys are those of the model file, and so are the values.

        model = jounce.Model("Slider-crank", gravity=(0, -9.81))
        model.parameter("crank", 0.05)
        model.ground(points={"O": (0, 0), "X": (1, 0)})
        model.body("crank", angle="60*deg", points={"O": (0, 0), "A": ("crank", 0)}, mass=0.4)
        model.joint("bearing", "revolute", i="ground.O", j="crank.O")
        model.driver("motor", "angle", i="ground", j="crank", motion="100*rpm*t")
        m = model.build()

    Gravity is (0, 0) where it is left out: write ``gravity=(0, -9.81)``. Inertia is about the centre of mass ``com``, which is the body's origin unless
    it is written; a shape with a mass gives both. :func:`types` lists the types of elements with their keys.

    Each call adds an element, or replaces the one of that name. What is wrong is said by :meth:`build`, all at once. Tables are looked for in the
    working folder.
    """

    def __init__(self, name: str = "", *, space: str = "plane", gravity: Sequence[float | str] | None = None) -> None:
        self._document: dict[str, Any] = {"jounce": 1}
        if name:
            self._document["name"] = _value("name", name)
        if space != "plane":
            self._document["space"] = _value("space", space)
        if gravity is not None:
            self._document["gravity"] = _value("gravity", gravity)

    # ---- elements ------------------------------------------------------------------------------------------------------

    def parameter(self, name: str, value: float | str) -> None:
        """A number or an expression that others can use by its name."""
        self._plain("parameters", name, value)

    def measure(self, name: str, value: str) -> None:
        """An expression of what the mechanism does: a column of results."""
        self._plain("measures", name, value)

    def ground(self, *, points: Mapping[str, Value], **keys: Value) -> None:
        """The fixed body: its points."""
        self._document["ground"] = _table("ground", {"points": points, **keys})

    def body(self, name: str, **keys: Value) -> None:
        """A body: mass, inertia, com, position, angle, velocity, spin, points, shape.

        In space ``inertia`` is ``(Ixx, Iyy, Izz)`` or six numbers about ``com``; without it a body is a point mass there.
        """
        self._element("bodies", name, keys)

    def joint(self, name: str, type: str, **keys: Value) -> None:
        """A joint of a type.

        In the plane revolute, translational, pin-in-slot, distance, weld, gear, rolling, …; in space revolute, prismatic, cylindrical, universal,
        spherical, free, … ``jounce.types("revolute")`` tells its keys.
        """
        self._element("joints", name, {"type": type, **keys})

    def driver(self, name: str, type: str, **keys: Value) -> None:
        """A driver of a type, with its ``motion``, a function of ``t``: angle, distance, coordinate, … (``jounce.types(group="driver")``).

        In the plane; in space a motion is written in the ``dofs`` of a joint.
        """
        self._element("drivers", name, {"type": type, **keys})

    def force(self, name: str, type: str, **keys: Value) -> None:
        """A force of a type: spring, torsion-spring, force, moment, motor, bushing, … (``jounce.types(group="force")``)."""
        self._element("forces", name, {"type": type, **keys})

    def loop(self, name: str, type: str, **keys: Value) -> None:
        """In space: a joint that closes a loop."""
        self._element("loops", name, {"type": type, **keys})

    def coupling(self, name: str, **keys: Value) -> None:
        """In space: a dof that follows another."""
        self._element("couplings", name, keys)

    def stop(self, name: str, of: str, **keys: Value) -> None:
        """An expression of positions that may not pass ``min`` or ``max``."""
        self._element("stops", name, {"of": of, **keys})

    def event(self, name: str, when: str, **keys: Value) -> None:
        """An expression whose passage through zero is to be noticed; ``stop=True`` ends the run there."""
        self._element("events", name, {"when": when, **keys})

    def base(self, **keys: Value) -> None:
        """In space: how the rates begin, ``start_momentum="zero"``."""
        self._document["base"] = _table("base", keys)

    def actuators(self, dofs: Sequence[str]) -> None:
        """In space: the dofs whose efforts carry the prescribed motions."""
        self._document["actuators"] = _table("actuators", {"dofs": list(dofs)})

    def plan(self, analysis: str = "kinematics", *, to: float | str | None = None, steps: int | None = None) -> None:
        """The section ``[run]``: what :meth:`Mechanism.run` and ``jounce run`` do."""
        keys = {"analysis": analysis, "to": to, "steps": steps}
        self._document["run"] = _table("run", {key: value for key, value in keys.items() if value is not None})

    def remove(self, name: str) -> None:
        """Takes an element, a parameter or a measure away."""
        sections = [self._document[s] for s in (*_SECTIONS, *_PLAIN) if s in self._document]
        for section in sections:
            if name in section:
                del section[name]
                return
        raise unknown("element", name, [key for section in sections for key in section])

    # ---- what becomes of it ----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Of the model."""
        return str(self._document.get("name", ""))

    def build(self) -> Mechanism:
        """The mechanism. Raises :class:`ModelError` with all that is wrong."""
        return Mechanism(_engine.build(self.to_toml()))

    def to_toml(self) -> str:
        """The model file."""
        return _document_text(self._document)

    @classmethod
    def from_toml(cls, text: str) -> Model:
        """The model that a model file describes; comments are lost."""
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            _engine.loads(text, "<text>", [])  # says it with its place
            raise
        out = cls()
        out._document = document
        return out

    def __eq__(self, other: object) -> bool:
        return self._document == other._document if isinstance(other, Model) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self._document[s])} {s}" for s in _SECTIONS if self._document.get(s))
        return f"<jounce.Model {self.name!r}{': ' + counts if counts else ''}>"

    # ---- inside ----------------------------------------------------------------------------------------------------------

    def _plain(self, section: str, name: str, value: object) -> None:
        self._document.setdefault(section, {})[_key(section, name)] = _value(name, value)

    def _element(self, section: str, name: str, keys: Mapping[str, object]) -> None:
        self._document.setdefault(section, {})[_key(section, name)] = _table(name, keys)


# ---- TOML ----------------------------------------------------------------------------------------------------------------


def _key(where: str, key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{where}: expected a name, found {key!r}")
    return key


_DEEPEST = 16  # no value of a model file is nested deeper


def _table(where: str, keys: Mapping[str, object], depth: int = 0) -> dict[str, Any]:
    return {_key(where, key): _value(f"{where}: {key}", value, depth) for key, value in keys.items()}


def _value(where: str, value: object, depth: int = 0) -> Any:
    """A value as TOML has it: words, numbers, lists and tables."""
    if depth > _DEEPEST:
        raise ValueError(f"{where[:60]}: expected lists and dicts at most {_DEEPEST} deep")
    if isinstance(value, (str, bool)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return _value(where, value.item(), depth + 1)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where}: expected a finite number, found {value!r}")
        return value
    if isinstance(value, Mapping):
        return _table(where, value, depth + 1)
    if isinstance(value, (bytes, bytearray)) or not isinstance(value, Iterable):
        raise TypeError(f"{where}: expected a number, a text, a list or a dict, found {type(value).__name__}")
    return [_value(where, item, depth + 1) for item in value]


def _document_text(document: Mapping[str, Any]) -> str:
    known = [key for key in _ORDER if key in document]
    lines, sections = [], []
    for key in [*known, *(key for key in document if key not in _ORDER)]:
        value = document[key]
        if not isinstance(value, Mapping):
            lines.append(f"{_key_text(key)} = {_text(value)}")
        elif key in _SECTIONS:
            for name, element in value.items():
                sections.append(_section(f"{_key_text(key)}.{_key_text(name)}", element))
        else:
            sections.append(_section(_key_text(key), value))
    return "\n".join(lines) + "\n" + "".join("\n" + section for section in sections)


def _section(header: str, table: Mapping[str, Any]) -> str:
    width = max((len(_key_text(key)) for key in table), default=0)
    return f"[{header}]\n" + "".join(f"{_key_text(key):<{width}} = {_text(value)}\n" for key, value in table.items())


def _key_text(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key_text(key)} = {_text(item)}" for key, item in value.items()) + " }" if value else "{}"
    return "[" + ", ".join(_text(item) for item in value) + "]"


def _quoted(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, f"\\u{ord(c):04X}" if ord(c) < 0x20 or ord(c) == 0x7F else c) for c in text) + '"'


# ---- what there is -------------------------------------------------------------------------------------------------------


def types(type: str | None = None, *, space: str | None = None, group: str | None = None) -> list[dict[str, Any]]:
    """The types of elements: dicts with ``space``, ``group``, ``type``, ``summary``, ``fields`` (each with key, required, expected and doc) and a
    ``snippet`` of a model file.

    All of them, or those of one name (``"revolute"``), one space (``"plane"``, ``"3d"``) and one group (``"joint"``, ``"driver"``, ``"coupling"``,
    ``"loop"``, ``"force"``, ``"shape"``).
    """
    everything = cast("list[dict[str, Any]]", _engine.types())
    for what, wanted in (("type", type), ("space", space), ("group", group)):
        if wanted is not None and all(one[what] != wanted for one in everything):
            raise unknown(what, wanted, dict.fromkeys(one[what] for one in everything), 100)
    return [
        one for one in everything if type in (None, one["type"]) and space in (None, one["space"]) and group in (None, one["group"])
    ]
