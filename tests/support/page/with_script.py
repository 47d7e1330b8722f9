"""Adds a script to a page, which its policy then allows, too: with_script.py PAGE SCRIPT... >NEW.

The page's own script and its hash in the policy stay as they are.
"""

import base64
import hashlib
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    script = ""
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            script += file.read()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = page.replace("script-src '", f"script-src 'sha256-{digest}' '", 1)
    sys.stdout.write(page.replace("</body>", f"<script>{script}</script>\n</body>"))


main()
