"""Sphinx's configuration. Sphinx reads what `python -m book.source` laid out; `make site` runs both."""

from __future__ import annotations

import os

from book.source import EXECUTED, fingerprint

project = "Gradients in PyTorch"
html_title = project
author = "the authors of Gradients in PyTorch"
copyright = author
language = "en-GB"
root_doc = "index"
exclude_patterns = ["README.md", "generated/co[nu]*.md", "generated/example.md"]  # included by other pages

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design", "book.mathml", "book.tables"]
html_math_renderer = "mathml"

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
myst_heading_slug_func = "book.source.anchor"

nb_execution_mode = "cache"
nb_execution_cache_path = str(EXECUTED / fingerprint())  # what depends on the package is run again when it changes
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_ipywidgets_js = {}  # nothing comes from elsewhere, and no widget does anything without a kernel
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]  # the HTML beside it instead
# For the kernels that run the notebooks: predictions without buttons, and nothing of it in anybody's own record.
os.environ.update(AUTOGRADER_STATIC="1", AUTOGRADER_RECORD="off")

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_use_rtype = False
napoleon_use_ivar = True  # attributes as a list, not as headings

html_theme = "sphinx_book_theme"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_sidebars = {"**": ["home.html", "search-button-field.html", "contents.html"]}
html_css_files = ["book.css"]
html_favicon = "_static/logo.svg"
html_context = {"default_mode": "auto"}
html_copy_source = True  # the notebooks as they are in the repository, to download
html_theme_options = {
    "use_fullscreen_button": False,
    "show_toc_level": 1,
    "home_page_in_toc": False,
    "navigation_with_keys": False,
    "navbar_persistent": [],  # the search stands in the sidebar
}
