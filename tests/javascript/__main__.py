"""``python -m tests.javascript check``: what Biome says of the JavaScript and the CSS."""

import sys

from tests.javascript import HERE, tool

if __name__ == "__main__":
    done = tool("biome", *sys.argv[1:], f"--config-path={HERE / 'biome.rules.jsonc'}", "static", "tests/javascript")
    print(done.stdout, end="")
    sys.exit(done.returncode)
