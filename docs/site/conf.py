"""The documentation site, for Sphinx. build.py calls it, with the version and the folders in `-D`."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = "anax"
html_title = "anax"
root_doc = "README"
extensions = ["myst_parser", "breathe", "equations"]
myst_heading_anchors = 4
smartquotes = False  # texts stay as they are
breathe_default_project = "anax"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
# Types of the C library.
nitpick_ignore_regex = [("c:identifier", r"u?int\d+_t|size_t|bool|FILE")]

html_theme = "alabaster"
html_theme_options = {
    "description": "How long would an MPI application run on a dragonfly that may not exist yet?",
    "fixed_sidebar": True,
    "page_width": "1180px",
    "sidebar_width": "270px",
    "font_family": "'DejaVu Sans', Verdana, Arial, sans-serif",
    "head_font_family": "'DejaVu Sans', Verdana, Arial, sans-serif",
    "font_size": "15px",
    "code_font_size": "0.87em",
    "globaltoc_maxdepth": 1,
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_use_index = True
