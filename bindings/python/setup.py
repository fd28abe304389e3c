"""The package nlm.  With the library beside it (tools/make-wheel puts it there) the wheel carries it."""
import pathlib
import re

from setuptools import Distribution, setup

HERE = pathlib.Path(__file__).resolve().parent


def version():
    """That of the library, which tools/make-wheel writes into VERSION; in the source tree that of the header."""
    for path in (HERE / "VERSION", HERE.parents[1] / "include/nlm/version.h"):
        if path.exists():
            return re.search(r"\d+\.\d+\.\d+", path.read_text()).group()
    raise SystemExit("setup.py: neither VERSION nor include/nlm/version.h is there")




class WithLibrary(Distribution):
    """Files go where those of one platform go."""

    def has_ext_modules(self):
        return True


options = {"distclass": WithLibrary} if list((HERE / "nlm").glob("libnlm.so*")) else {}
try:
    from wheel.bdist_wheel import bdist_wheel

    class PlatformWheel(bdist_wheel):
        """Any Python 3, but this platform: the library is not Python's."""

        def finalize_options(self):
            super().finalize_options()
            self.root_is_pure = not list((HERE / "nlm").glob("libnlm.so*"))

        def get_tag(self):
            return ("py3", "none", super().get_tag()[2])

    options["cmdclass"] = {"bdist_wheel": PlatformWheel}
except ImportError:
    pass

setup(name="nlm", version=version(), description="Neural Logic Machines: learns rules from small relational worlds",
      license="Apache-2.0", packages=["nlm"], package_data={"nlm": ["py.typed", "libnlm.so*"]},
      python_requires=">=3.8", install_requires=["numpy"], **options)
