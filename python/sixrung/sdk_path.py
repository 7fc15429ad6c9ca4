"""Prints the SDK's prefix: ``cmake -DCMAKE_PREFIX_PATH=$(python -m sixrung.sdk_path)``."""

from .paths import sdk_dir

if __name__ == "__main__":
    print(sdk_dir())
