"""The Core AI runtime in a child process: bad programs may abort it, and a new one takes over."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys


class RuntimeFailure(str):
    """What went wrong in the runtime: an exception's text, or the signal that ended the child."""


class Runtime:
    def __init__(self):
        self._child = None

    def run(self, program: bytes, inputs: dict):
        """Outputs by name, or a RuntimeFailure."""
        if self._child is None or self._child.poll() is not None:
            self._start()
        try:
            _write(self._out, (program, inputs))
            answer = _read(self._in)
        except (BrokenPipeError, EOFError):
            self._child.wait()
            return RuntimeFailure(f"the runtime process ended with status {self._child.returncode}")
        return RuntimeFailure(answer) if isinstance(answer, str) else answer

    def _start(self):
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        python = os.environ.get("SIXRUNG_PYTHON", sys.executable)
        self._child = subprocess.Popen(
            [python, __file__, str(request_read), str(answer_write)],
            pass_fds=(request_read, answer_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(request_read)
        os.close(answer_write)
        self._out, self._in = os.fdopen(request_write, "wb"), os.fdopen(answer_read, "rb")


def _write(stream, value):
    data = pickle.dumps(value)
    stream.write(struct.pack("<Q", len(data)))
    stream.write(data)
    stream.flush()


def _read(stream):
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    (size,) = struct.unpack("<Q", head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


def _serve(request_fd: int, answer_fd: int):
    import asyncio
    import tempfile
    from pathlib import Path

    import numpy as np
    from coreai._compiler.ir import Module
    from coreai.authoring import AIProgram, Context
    from coreai.runtime import NDArray

    loaded = {}

    async def call(folder, inputs):
        asset = loaded[folder]
        async with asset.executable() as model:
            outputs = await model.load_function("main")({k: NDArray(v) for k, v in inputs.items()})
            return {k: np.array(v.numpy()) for k, v in outputs.items()}

    def run(program, inputs):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "m.mlirb"
            file.write_bytes(program)
            module = Module.parseFile(str(file), context=Context()._mlir_context)
            loaded[folder] = AIProgram._from_mlir_module(module).save_asset(Path(folder) / "m.aimodel")
            try:
                return asyncio.run(call(folder, inputs))
            finally:
                del loaded[folder]

    requests, answers = os.fdopen(request_fd, "rb"), os.fdopen(answer_fd, "wb")
    while True:
        try:
            program, inputs = _read(requests)
        except EOFError:
            # The runtime's worker threads now and then abort a Python that finalizes beside them.
            os._exit(0)
        try:
            answer = run(program, inputs)
        except Exception as error:  # the text goes back, whatever it was
            answer = f"{type(error).__name__}: {error} {error.__cause__ or ''}".strip()
        _write(answers, answer)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
