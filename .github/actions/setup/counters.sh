#!/usr/bin/env bash
# Installs what counting benches need, if the project has any: valgrind, and the runner of the very version that stands
# in its Cargo.lock, because the two speak a private format.
set -euo pipefail

say() {
  printf 'tripline setup: %s\n' "$*" >&2
}

locked() {
  awk -v name="$1" '$0 == "name = \"" name "\"" { getline; gsub(/version = |"/, ""); print; exit }' Cargo.lock 2>/dev/null
}

for library in iai-callgrind gungraun; do
  version=$(locked "$library") || version=''
  [ -n "$version" ] || continue
  if ! command -v valgrind >/dev/null; then
    say "installing valgrind, which counts instructions"
    sudo apt-get update -qq
    sudo apt-get install -y -qq --no-install-recommends valgrind
  fi
  if [ "$("$library-runner" --version 2>/dev/null | tr -d '\n' | sed 's/.* //')" != "$version" ]; then
    say "building $library-runner $version"
    cargo install --locked --quiet --version "=$version" "$library-runner"
  fi
done
