#!/usr/bin/env bash
# Runs the project's own script that makes this machine ready to measure, if it has one. It is a path in the repository and
# nothing else: what runs is what was committed, and no text of an event becomes a command.
#
# As in any step, what the script appends to $GITHUB_PATH and $GITHUB_ENV holds for the steps after it.
set -euo pipefail

usual=.github/tripline-prepare.sh

say() {
  printf 'tripline prepare: %s\n' "$*" >&2
}

committed() {
  case "$1" in
    /*) return 1 ;;
    *) [ -f "$1" ] && git --literal-pathspecs ls-files --error-unmatch -- "$1" >/dev/null 2>&1 ;;
  esac
}

script=${TRIPLINE_PREPARE:-}
if [ -z "$script" ]; then
  # A link to nowhere is there, too, and worth an error.
  [ -e "$usual" ] || [ -L "$usual" ] || exit 0
  script=$usual
fi
if ! committed "$script"; then
  say "nothing was measured: \`$script\` is no file that is committed in this repository"
  say "  hint: the input \`prepare\` is the path of a script, from the top folder; commit it, or leave the input away"
  exit 2
fi
say "running $script"
bash -- "./$script"
