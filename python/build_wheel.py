"""Builds a wheel of the present folder into the folder `wheels` of the build folder.

The wheel holds a shared library, so it is for this kind of computer, but for every version of Python.
"""

import os
import sys
import sysconfig

from setuptools import setup

platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
wheels = os.path.join(sys.argv[1], "wheels")
sys.argv[1:] = ["-q", "bdist_wheel", "--python-tag", "py3", "--plat-name", platform, "-d", wheels]
setup()
