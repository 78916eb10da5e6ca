"""`python -m tests.class_report_picture PAGE`: docs/pictures/class_report.png, the top of a class report's page."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.browser import chromium
from tests.submissions import COURSE

PICTURE = COURSE / "docs" / "pictures" / "class_report.png"
WIDTH, HEIGHT = 1000, 1260

if __name__ == "__main__":
    with chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(Path(sys.argv[1]).resolve().as_uri())
        page.screenshot(path=PICTURE)
