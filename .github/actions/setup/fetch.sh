#!/usr/bin/env bash
# Downloads a file, and takes it only if it has the hash that was committed.
#
#   fetch.sh ADDRESS SHA256 PLACE
#
# Ends with 1 if it was not downloaded, and with 4 if what came is something else. The hash decides what is taken, so an
# address may also be a file of the machine: a mirror.
set -euo pipefail
address=$1
sum=$2
place=$3

if ! curl --fail --silent --show-error --location --proto '=https,file' --proto-redir '=https' --max-filesize 67108864 \
  --retry 3 --output "$place.download" "$address"; then
  rm -f "$place.download"
  printf 'tripline fetch: %s was not downloaded\n' "$address" >&2
  exit 1
fi
if ! printf '%s  %s\n' "$sum" "$place.download" | sha256sum --check --status; then
  rm -f "$place.download"
  printf 'tripline fetch: what came from %s has another hash than the one that is committed\n' "$address" >&2
  exit 4
fi
mv "$place.download" "$place"
