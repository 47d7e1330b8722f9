"""Builds a wheel of the present folder into the folder `wheels` of the build folder.

The wheel holds a shared library, so it is for this kind of computer, but for every version of Python.
"""

import os
import sys
import sysconfig

try:
    from setuptools import setup

    try:
        import setuptools.command.bdist_wheel  # later versions have it
    except ImportError:
        import wheel  # has the command for earlier ones
except ImportError as missing:
    sys.exit(
        f"wheel: {sys.executable} lacks the module {missing.name}. Debian has it in python3-setuptools or "
        "python3-wheel; cmake -D Python3_EXECUTABLE=FILE chooses another Python"
    )

platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
wheels = os.path.join(sys.argv[1], "wheels")
sys.argv[1:] = ["-q", "bdist_wheel", "--python-tag", "py3", "--plat-name", platform, "-d", wheels]
setup()
