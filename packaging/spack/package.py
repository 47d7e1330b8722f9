"""Spack recipe of anax. In a repository of recipes it stands in packages/anax/package.py."""

from spack.package import *


class Anax(CMakePackage):
    """Replays traces of MPI applications on a packet-level dragonfly network."""

    license("BSD-3-Clause")

    version("0.2.0")

    variant("mpi", default=False, description="Simulate on several processes, and record")
    variant("metis", default=True, description="Placement by graph partitioning")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("otf2@3:")
    depends_on("libfyaml")
    depends_on("json-c")
    depends_on("zlib-api")
    depends_on("libpng")
    depends_on("libunistring")
    depends_on("metis@5:", when="+metis")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", type=("build", "run"))

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ANAX_MPI", "mpi"),
            self.define_from_variant("ANAX_METIS", "metis"),
            self.define("ANAX_SOURCE_MACHINES", False),
            self.define("BUILD_TESTING", False),
        ]
