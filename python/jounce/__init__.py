"""Multibody dynamics of mechanisms, from position to snap.

    import jounce

    m = jounce.load("models/quick-return/model.toml")
    r = m.kinematics(to=2.1, steps=210)
    r["lever.jphi"]                  # the lever's jerk, a NumPy array
    r.plot("lever.*")                # a figure;  r.report("lever.html"): a page that moves

- :func:`load` reads a model file, :func:`loads` a text, :func:`import_urdf` a robot; :class:`Model` builds one in code, and
  :func:`types` lists what it can be made of.
- A :class:`Mechanism` has the analyses (``kinematics``, ``inverse``, ``dynamics``, ``equilibrium``) and the questions
  (``check``, ``explain``, ``compare``, ``draw``), and ``with_parameters`` for variants of it.
- A :class:`Run` has the columns of results, what happened on the way, and the files to take along.
- A :class:`Simulation` is a mechanism stepped from outside; :func:`sweep` runs many variants; :mod:`jounce.tree` has the
  algorithms of robotics (``rnea``, ``aba``, ``crba``, ``hybrid``) for arrays of states.

Everything is SI: metres, kilograms, seconds, radians.
"""

from . import tree
from ._engine import version as __version__
from ._words import UnknownName
from .errors import AnalysisError, JounceWarning, ModelError, Problem
from .mechanism import Drawing, Mechanism, State, import_urdf, load, loads
from .model import Model, types
from .run import Event, Run
from .simulation import Simulation
from .sweep import sweep

__all__ = [
    "AnalysisError",
    "Drawing",
    "Event",
    "JounceWarning",
    "Mechanism",
    "Model",
    "ModelError",
    "Problem",
    "Run",
    "Simulation",
    "State",
    "UnknownName",
    "__version__",
    "import_urdf",
    "load",
    "loads",
    "sweep",
    "tree",
    "types",
]
