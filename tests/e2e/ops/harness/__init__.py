"""Op-level numerics: tables of cases, each converted, run on the Core AI runtime and compared with eager."""

from .case import Case, case, grid, ints, normal, uniform
from .runner import check

__all__ = ["Case", "case", "check", "grid", "ints", "normal", "uniform"]
