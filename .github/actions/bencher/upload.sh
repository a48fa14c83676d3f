#!/usr/bin/env bash
# Uploads an export to Bencher. Its program is downloaded in the one version that stands in releases.txt beside this file,
# and only run if it has the hash that stands there. Project, key, branch and testbed it takes from its own variables.
set -euo pipefail

here=${TRIPLINE_BENCHER_HOME:?is the folder of this action}
place=${RUNNER_TEMP:?is set by the runner}/tripline-bencher
mkdir -p "$place"

say() {
  printf 'tripline bencher: %s\n' "$*" >&2
}

refuse() {
  say "nothing was handed on: $1"
  say "  hint: $2"
  exit 2
}

[ -n "${BENCHER_PROJECT:-}" ] || refuse "no project of Bencher is named" "give the input \`project\`"
[ -n "${BENCHER_API_KEY:-}" ] || refuse "the project \`$BENCHER_PROJECT\` of Bencher is configured, and its key is not" \
  "make a key of the project in Bencher, and store it as the secret BENCHER_API_KEY of this repository or of its environment \`bencher\`"

# Lines of releases.txt: VERSION TARGET SHA256 ADDRESS
target=$(uname -m)-unknown-linux-gnu
line=$(grep "^[0-9][^ ]* $target " "$here/releases.txt" | head -n 1) ||
  refuse "there is no program of Bencher's for $target" "run this job on another machine"
read -r version _ sum address <<<"$line"
say "downloading bencher $version for $target"
if ! bash "$here/../setup/fetch.sh" "$address" "$sum" "$place/bencher"; then
  say "nothing was handed on: bencher $version was not downloaded"
  exit 4
fi
chmod +x "$place/bencher"
"$place/bencher" run --adapter json --hash "${GITHUB_SHA:?is set by the runner}" --file "$TRIPLINE_BENCHER_FILE"
