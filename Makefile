# Names for the builds and checks of the project; CMakeLists.txt and tools/ do the work.

PREFIX ?= /usr/local
GOLDEN ?= tests/golden
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: all demo test test-all test-browser test-long bench install uninstall parity fuzz coverage format clean

all:
	@tools/install-packages build
	@cmake --preset release -DNLM_TESTS=OFF
	@cmake --build --preset release --parallel $(JOBS)

# What it does, in a minute: learns who is whose grandparent from families of 20, and is tested on families of 100.
demo: all
	build/nlm train grandparent --force -o build/grandparent.nlm
	build/nlm test build/grandparent.nlm
	build/nlm rules build/grandparent.nlm
	build/nlm prove build/grandparent.nlm

test:
	@JOBS=$(JOBS) tools/run-tests release asan

# Also those of a build without PNG, gzip and OpenBLAS, those with threads under the thread sanitizer, on 32 bits, on aarch64 (by qemu),
# the pages in Chromium, the Python package, programs in databases, and ranks under Open MPI and MPICH.
# What cannot be had here is skipped, and the summary says so.
test-all:
	@JOBS=$(JOBS) tools/run-tests release asan core tsan 32bit aarch64 browser python databases mpi

# The pages of nlm report and nlm play --html in Chromium; pictures of them are left in build/browser.
test-browser: all
	@tools/install-packages browser
	@tools/run-browser-tests build/nlm build/browser

# All thirteen tasks with ten seeds each, the programs of ten, these on genealogies, from few worlds, and from files and back;
# docs/results.md and docs/experiments.md have what it found last.
test-long: all
	@tools/install-packages test
	tools/learn-all build/nlm build/learned
	tools/run-in-engines build/nlm build/learned build/engines.jsonl
	tools/make-genealogies build/genealogies --count 40
	tools/test-genealogies build/nlm build/genealogies build/genealogies.jsonl build/learned/grandparent/*.nlm build/learned/*uncle/*.nlm
	tools/few-worlds build/nlm build/few-worlds --at-once $(JOBS)
	tools/round-trip build/nlm build/round-trip 3
	tools/measure-numbers build/nlm build/numbers
	build/tests/logic/test_compile_clingo 1000

bench: all
	@tools/install-packages bench
	/usr/bin/python3 bench/compare.py

install: all
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

# What the last make install put in place, with the same DESTDIR.
uninstall:
	@test -f build/install_manifest.txt || { echo "nothing was installed from build/"; exit 1; }
	@while IFS= read -r file; do rm -fv "$(DESTDIR)$$file"; done <build/install_manifest.txt

parity: all
	build/nlm-parity $(GOLDEN)

fuzz:
	@tools/install-packages build fuzz
	@cmake --preset fuzz
	@cmake --build --preset fuzz --parallel $(JOBS)
	@tools/run-fuzzers build-fuzz $(FUZZ_SECONDS)

coverage:
	@tools/install-packages build test coverage
	@JOBS=$(JOBS) tools/run-tests coverage
	gcovr --root . --filter src/ --filter cli/ build-coverage

format:
	@tools/install-packages test
	tests/house/format.sh --fix

clean:
	rm -rf build build-*
