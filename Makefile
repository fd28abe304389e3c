# Names for the builds and checks of the project; CMakeLists.txt and tools/ do the work.

PREFIX ?= /usr/local
GOLDEN ?= tests/golden
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: all demo test bench install parity fuzz coverage format clean

all:
	@tools/install-packages build
	@cmake --preset release -DNLM_TESTS=OFF
	@cmake --build --preset release --parallel $(JOBS)

# What it does, in a minute: agrees with the reference numbers, learns an example, measures its speed.
demo: all
	build/nlm-parity $(GOLDEN)
	build/examples/grandparent
	build/nlm bench --seconds 0.2

test:
	@tools/install-packages build test
	@JOBS=$(JOBS) tools/run-tests release asan

bench: all
	@tools/install-packages bench
	/usr/bin/python3 bench/compare.py

install: all
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

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
