#!/usr/bin/env bash
# Installs the tools that the project's suites measure whole programs under: strace and valgrind as the distribution has
# them, and hyperfine at the version that is pinned here. perf is not installed: a caveat says what it would have counted.
set -euo pipefail

HYPERFINE=1.20.0 # as in tools/setup, which a test holds

say() {
  printf 'tripline setup: %s\n' "$*" >&2
}

# Tells whether a suite that git tracks names one of these tools.
named() {
  local tool
  for tool in "$@"; do
    if git grep --quiet --fixed-strings -e "\"$tool\"" -- ':(glob)**/suite.toml'; then
      return 0
    fi
  done
  return 1
}

packages=()
if named strace && ! command -v strace >/dev/null; then
  packages+=(strace)
fi
if named dhat massif callgrind && ! command -v valgrind >/dev/null; then
  packages+=(valgrind)
fi
if [ "${#packages[@]}" != 0 ]; then
  say "installing ${packages[*]}, which suites measure programs under"
  sudo apt-get update -qq
  sudo apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi
if named hyperfine && [ "$(hyperfine --version 2>/dev/null || true)" != "hyperfine $HYPERFINE" ]; then
  say "building hyperfine $HYPERFINE, which times programs"
  cargo install --locked --quiet --version "=$HYPERFINE" hyperfine
fi
