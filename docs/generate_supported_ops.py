#!/usr/bin/env python3
"""Writes supported-ops.md from the manifests of the built-in plugins: `generate_supported_ops.py [--check]`.

The keys are asked of `sixrung plugin list --json`, found on PATH or in SIXRUNG_CLI; which overloads are core ATen, and
which the decompositions remove, of torch.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().with_name("supported-ops.md")
# Core ATen overloads an exported inference program does not hold: gradients, and variants writing into an argument.
NOT_IN_INFERENCE = ("_backward.", ".out", "::resize_.", "::native_dropout.")


def plugins() -> list[dict]:
    command = os.environ.get("SIXRUNG_CLI") or shutil.which("sixrung") or sys.exit("the sixrung command is not on PATH")
    # Only what ships: plugins of this machine's SIXRUNG_PLUGIN_PATH are not documented here.
    environment = {k: v for k, v in os.environ.items() if k != "SIXRUNG_PLUGIN_PATH"}
    listed = subprocess.run([command, "plugin", "list", "--json"], env=environment, capture_output=True, check=True)
    return sorted(json.loads(listed.stdout)["plugins"], key=lambda plugin: plugin["id"])


def canonical(op) -> str:
    name = op.name()
    return name if "." in name else f"{name}.default"


def core_aten() -> list[str]:
    import torch

    keys = set()
    for name in torch._C._dispatch_get_all_op_names():
        namespace, _, rest = name.partition("::")
        if namespace != "aten":
            continue
        packet, _, overload = rest.partition(".")
        op = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
        if op is not None and torch.Tag.core in op.tags:
            keys.add(canonical(op))
    return sorted(keys)


def decomposed() -> set[str]:
    import torch

    import sixrung

    return {canonical(op) for op in sixrung.get_decomp_table() if isinstance(op, torch._ops.OpOverload)}


def overloads(keys: list[str]) -> str:
    """`add` (Tensor, Scalar), `relu`: one entry an op, its overloads where they are not the default alone."""
    ops: dict[str, list[str]] = {}
    for key in sorted(keys):
        name, _, overload = key.partition("::")[2].partition(".")
        ops.setdefault(name, []).append(overload)
    return ", ".join(f"`{name}`" + ("" if own == ["default"] else f" ({', '.join(own)})") for name, own in ops.items())


def page() -> str:
    listed = plugins()
    served = {key for plugin in listed for key in plugin["lowerings"]}
    core, removed = core_aten(), decomposed()
    missing = [key for key in core if key not in served | removed and not any(word in key for word in NOT_IN_INFERENCE)]
    aten = sum(key.startswith("aten::") for key in served)
    bare_operators = sum("::" not in key for key in served)
    lines = [
        "# Supported ops",
        "",
        "<!-- Written by docs/generate_supported_ops.py from the plugins' manifests; do not edit. -->",
        "",
        f"{len(served)} keys are lowered: {aten} ATen overloads, {bare_operators} bare Python operators"
        f" (arithmetic on sizes) and {sum(key.startswith('higher_order::') for key in served)} higher-order ops. Of the"
        f" {len(core)} core ATen overloads, {sum(key in served for key in core)} are lowered as they are and"
        f" {sum(key not in served and key in removed for key in core)} more are removed by"
        " `run_decompositions(sixrung.get_decomp_table())`, as hundreds of others are. Ask for one key, private plugins"
        " included, with `sixrung plugin list --serves aten::add.Tensor [--plugin FILE]`.",
        "",
        "An op without brackets has the overload `default` alone.",
    ]
    for plugin in listed:
        if not plugin["lowerings"]:
            continue
        lines += ["", f"## {plugin['id']}"]
        groups = (
            ("ATen", [k for k in plugin["lowerings"] if k.startswith("aten::")]),
            ("Python operators", [k for k in plugin["lowerings"] if "::" not in k]),
            ("Others", [k for k in plugin["lowerings"] if "::" in k and not k.startswith("aten::")]),
        )
        for title, keys in groups:
            if keys:
                bare = [key if "::" in key else f"python::{key}.default" for key in keys]
                label = "" if title == "ATen" else f"{title}: "
                if title == "Others":
                    lines += ["", label + ", ".join(f"`{key}`" for key in sorted(keys)) + "."]
                else:
                    lines += ["", label + overloads(bare) + "."]
    lines += [
        "",
        "## Core ATen without a lowering or a decomposition",
        "",
        "Gradients and variants that write into an argument left out: "
        + (", ".join(f"`{key}`" for key in missing) or "none")
        + ".",
        "",
        "Five ops that only assert something are skipped: `_assert_async.msg`, `_assert_scalar`,"
        " `sym_constrain_range`, `sym_constrain_range_for_size`, `_assert_tensor_metadata`.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit(f"{PAGE.name} is not current: run docs/generate_supported_ops.py")


if __name__ == "__main__":
    main()
