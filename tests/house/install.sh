#!/usr/bin/env bash
# Installs into an empty folder, then uses what is there as a stranger would: the command, its manual pages and its
# completion, C through pkg-config (shared and static), C and C++ through find_package in CMake, each header alone in
# C++.
# install.sh BUILD_FOLDER
set -eu
build=$1
sources=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

DESTDIR=$folder/root cmake --install "$build" --prefix /opt/nlm >"$folder/log"
prefix=$folder/root/opt/nlm
cd "$folder"

"$prefix/bin/nlm" --version
for page in "$sources"/docs/man/*.1; do
    cmp "$page" "$prefix/share/man/man1/$(basename "$page")"
done
(
    PATH=$prefix/bin:$PATH
    source "$prefix/share/bash-completion/completions/nlm"
    COMP_WORDS=(nlm train grandp)
    COMP_CWORD=2
    _nlm nlm grandp train
    test "${COMPREPLY[*]}" = grandparent
)
libraries=$(dirname "$(find "$prefix" -name libnlm.a)")
export PKG_CONFIG_PATH=$libraries/pkgconfig
export LD_LIBRARY_PATH=$libraries

cat >user.c <<'END'
#include <nlm/nlm.h>
#include <string.h>

int main(void)
{
    nlm_world *world;
    if (nlm_world_new(&world, NULL) != NLM_OK)
        return 1;
    nlm_world_free(world);
    return strcmp(nlm_version(), NLM_VERSION);
}
END
cp user.c user.cc

if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "Python"
    env -u NLM_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$(dirname "$(find "$prefix" -path '*dist-packages/nlm' -type d)")" \
        /usr/bin/python3 -c 'import nlm; print(nlm.World(p=["a"]), len(nlm.tasks()) > 10)'
fi

echo "pkg-config, shared"
gcc user.c $(pkg-config --cflags --libs nlm) -o shared
./shared
readelf -d shared | grep -q 'NEEDED.*libnlm\.so\.'

echo "pkg-config, static"
gcc user.c $(pkg-config --static --cflags --libs nlm | sed 's/-lnlm/-l:libnlm.a/') -o static
env -u LD_LIBRARY_PATH ./static

echo "pages: pkg-config, shared and static"
cat >pages.c <<'END'
#include <nlm/report.h>

int main(void)
{
    nlm_report *report;
    if (nlm_report_new(&report, NULL) != NLM_OK)
        return 1;
    nlm_report_free(report);
    return 0;
}
END
gcc pages.c $(pkg-config --cflags --libs nlm-report) -o pages_shared
./pages_shared
readelf -d pages_shared | grep -q 'NEEDED.*libnlm-report\.so\.'
gcc pages.c $(pkg-config --static --cflags --libs nlm-report |
    sed 's/-lnlm-report/-l:libnlm-report.a/; s/-lnlm /-l:libnlm.a /') -o pages_static
env -u LD_LIBRARY_PATH ./pages_static

echo "find_package"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user C CXX)
find_package(nlm REQUIRED)
add_executable(from_c user.c)
target_link_libraries(from_c nlm::nlm)
add_executable(from_c_static user.c)
target_link_libraries(from_c_static nlm::static)
add_executable(from_cxx user.cc)
target_link_libraries(from_cxx nlm::nlm)
add_executable(pages pages.c)
target_link_libraries(pages nlm::report)
add_executable(pages_alone pages.c)
target_link_libraries(pages_alone nlm::report_static)
END
cmake -S . -B user -DCMAKE_PREFIX_PATH="$prefix" >>log
cmake --build user >>log
user/from_c
env -u LD_LIBRARY_PATH user/from_c_static
user/from_cxx
user/pages
env -u LD_LIBRARY_PATH user/pages_alone

echo "the example in C++"
g++ -std=c++17 -Wall -Wextra -Werror "$sources/examples/uncle.cc" $(pkg-config --cflags --libs nlm) -o uncle
./uncle | tail -2

echo "each header alone, in C and C++"
for header in "$prefix"/include/nlm/*.h; do
    echo "#include <nlm/$(basename "$header")>" >alone.c
    gcc -std=c11 -pedantic -Wall -Wextra -Werror -I "$prefix/include" -fsyntax-only alone.c
    g++ -std=c++11 -x c++ -pedantic -Wall -Wextra -Werror -I "$prefix/include" -fsyntax-only alone.c
done
