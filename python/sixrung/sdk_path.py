"""Prints the SDK's prefix: ``cmake -DCMAKE_PREFIX_PATH=$(python -m sixrung.sdk_path)``."""

import sys

from .errors import FileError
from .paths import sdk_dir

if __name__ == "__main__":
    try:
        print(sdk_dir())
    except FileError as error:
        sys.exit(f"error: {error}")
