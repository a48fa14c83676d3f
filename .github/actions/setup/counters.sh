#!/usr/bin/env bash
# Installs what counting benches need, if the project has any: valgrind, and the runner of the very version that stands
# in a Cargo.lock of the repository, because the two speak a private format.
set -euo pipefail

say() {
  printf 'tripline setup: %s\n' "$*" >&2
}

# Lines of VERSION and PLACE, one for each lock file that git tracks and that holds the library, the nearest to the top
# first: a suite may work in another folder, with a lock file of its own.
locked() {
  local place version
  git ls-files -z -- ':(glob)**/Cargo.lock' |
    while IFS= read -r -d '' place; do
      [ -f "$place" ] || continue
      version=$(awk -v name="$1" '$0 == "name = \"" name "\"" { getline; gsub(/version = |"/, ""); print; exit }' "$place")
      [ -z "$version" ] || printf '%s %s %s\n' "$(tr -cd / <<<"$place" | wc -c)" "$version" "$place"
    done | sort -s -n -k 1,1 | cut -d ' ' -f 2-
}

for library in iai-callgrind gungraun; do
  found=$(locked "$library")
  [ -n "$found" ] || continue
  version=${found%% *}
  while read -r other place; do
    if [ "$other" != "$version" ]; then
      say "$library $other stands in $place, and only one runner can be installed: its benches will fail"
      say "  hint: lock $library $version there as well"
    fi
  done <<<"$found"
  if ! command -v valgrind >/dev/null; then
    say "installing valgrind, which counts instructions"
    sudo apt-get update -qq
    sudo apt-get install -y -qq --no-install-recommends valgrind
  fi
  # It says its version only when it complains that it was called by hand.
  said=$("$library-runner" 2>&1) || true
  if ! grep --quiet --word-regexp --fixed-strings -e "$version" <<<"$said"; then
    say "building $library-runner $version"
    cargo install --locked --quiet --version "=$version" "$library-runner"
  fi
done
