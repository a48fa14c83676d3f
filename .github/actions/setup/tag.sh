#!/usr/bin/env bash
# Tags a release: makes a commit on top of the one that was built, which adds the hashes of what was built to releases.txt,
# and pushes it as the tag of its version. Whoever pins that commit gets the binaries by their hashes.
#
#   tag.sh FOLDER    the folder holds the binaries, each named tripline-TARGET
#
# Nothing but the tag is pushed, and no work tree, index or hook of the checkout is used. The same binaries on the same
# commit give the same commit again, so that a second try finds its tag to be there already. Ends with 2 if the version
# has another tag.
set -euo pipefail

dist=${1:?is the folder of the binaries}
address=${GITHUB_SERVER_URL:?is set by the runner}/${GITHUB_REPOSITORY:?is set by the runner}
remote=${TRIPLINE_REMOTE:-$address}
list=.github/actions/setup/releases.txt

say() {
  printf 'tripline tag: %s\n' "$*" >&2
}

refuse() {
  say "nothing was tagged: $1"
  say "  hint: $2"
  exit 2
}

built=$(git rev-parse --verify 'HEAD^{commit}')
version=$(git show "$built:Cargo.toml" | sed -n 's/^version = "\(.*\)"/\1/p' | head -n 1)
[ -n "$version" ] || refuse "no version stands in Cargo.toml" "give the workspace's packages one"
tag=v$version

# Lines of releases.txt: VERSION TARGET SHA256 ADDRESS
lines() {
  local binary target sum
  for binary in "$dist"/tripline-*-gnu; do
    [ -f "$binary" ] || refuse "there is no binary in $dist" "build it first"
    target=${binary##*/tripline-}
    sum=$(sha256sum <"$binary" | cut -d ' ' -f 1)
    printf '%s %s %s %s/releases/download/%s/tripline-%s\n' "$version" "$target" "$sum" "$address" "$tag" "$target"
  done
}
added=$(lines)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GIT_INDEX_FILE=$scratch/index
git read-tree "$built"
blob=$({ git show "$built:$list" && printf '%s\n' "$added"; } | git hash-object -w --stdin)
git update-index --cacheinfo "100644,$blob,$list"
tree=$(git write-tree)
when=$(git show --no-patch --format=%cI "$built")
# The same name and time each time, for the same commit.
commit=$(GIT_AUTHOR_NAME='github-actions[bot]' GIT_AUTHOR_EMAIL='41898282+github-actions[bot]@users.noreply.github.com' \
  GIT_COMMITTER_NAME='github-actions[bot]' GIT_COMMITTER_EMAIL='41898282+github-actions[bot]@users.noreply.github.com' \
  GIT_AUTHOR_DATE=$when GIT_COMMITTER_DATE=$when \
  git -c commit.gpgSign=false commit-tree "$tree" -p "$built" -m "release: $tag, with the hashes of its binaries")

# The token goes through a variable: arguments are shown to every process of the machine.
reach() {
  if [ -n "${TRIPLINE_TOKEN:-}" ]; then
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$remote.extraHeader" \
      GIT_CONFIG_VALUE_0="Authorization: Basic $(printf 'x-access-token:%s' "$TRIPLINE_TOKEN" | base64 --wrap=0)" \
      git "$@"
  else
    git "$@"
  fi
}

there=$(reach ls-remote "$remote" "refs/tags/$tag" | cut -f 1)
if [ -n "$there" ] && [ "$there" != "$commit" ]; then
  refuse "$tag is there already, as $there" "a release is never changed: raise the version in Cargo.toml"
fi
if [ -z "$there" ]; then
  reach -c core.hooksPath=/dev/null push --quiet "$remote" "$commit:refs/tags/$tag"
  say "$tag is $commit"
else
  say "$tag is there already, and is $commit"
fi
printf 'tag=%s\n' "$tag" >>"${GITHUB_OUTPUT:?is set by the runner}"
