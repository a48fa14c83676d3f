#!/usr/bin/env bash
# Finds, downloads or builds the tripline binary of exactly this version of the action, and puts it on PATH.
#
# In this order: the binary that was named; the release's asset, if its hash stands in releases.txt beside this file; a
# build from the action's own source. Never "latest": what runs is what was reviewed with the action's commit.
set -euo pipefail

here=${TRIPLINE_SETUP_HOME:?is the folder of this action}
workspace=$(cd "$here/../../.." && pwd)
place=${RUNNER_TEMP:?is set by the runner}/tripline
mkdir -p "$place"

say() {
  printf 'tripline setup: %s\n' "$*" >&2
}

named() {
  local binary=$TRIPLINE_SETUP_BINARY
  if [ ! -f "$binary" ] || [ ! -x "$binary" ]; then
    say "no binary was set up: \`$binary\` is no program"
    say "  hint: give the input \`binary\` the path of a tripline binary, or leave it away"
    exit 2
  fi
  cp "$binary" "$place/tripline"
}

# Lines of releases.txt: VERSION TARGET SHA256 ADDRESS
released() {
  local version target line sum address status=0
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$workspace/Cargo.toml" | head -n 1)
  target=$(uname -m)-unknown-linux-gnu
  line=$(grep -s "^$version $target " "$here/releases.txt" | head -n 1) || return 1
  read -r _ _ sum address <<<"$line"
  say "downloading tripline $version for $target"
  bash "$here/fetch.sh" "$address" "$sum" "$place/tripline" || status=$?
  if [ "$status" = 4 ]; then
    say "no binary was set up: $address is not what was released"
    exit 4
  fi
  return "$status"
}

built() {
  say "building tripline from the source of this action"
  cargo install --locked --quiet --path "$workspace/crates/tripline" --root "$place/built" --force
  cp "$place/built/bin/tripline" "$place/tripline"
}

if [ -n "${TRIPLINE_SETUP_BINARY:-}" ]; then
  named
elif ! released; then
  built
fi
chmod +x "$place/tripline"
say "using $("$place/tripline" --version)"
printf '%s\n' "$place" >>"${GITHUB_PATH:?is set by the runner}"
printf 'binary=%s\n' "$place/tripline" >>"${GITHUB_OUTPUT:?is set by the runner}"
