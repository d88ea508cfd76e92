#!/usr/bin/env bash
# Proposes a changed Dockerfile as a pull request. Does nothing if the Dockerfile has not changed.
set -euo pipefail
git diff --quiet -- Dockerfile && exit 0
branch=pin-base-image
git switch --force-create "$branch"
git -c user.name='github-actions[bot]' -c user.email='github-actions[bot]@users.noreply.github.com' \
  commit --quiet --message 'Pin the base image by its digest' -- Dockerfile
git push --force origin "$branch"
[ "$(gh pr list --head "$branch" --state open --json number --jq length)" -gt 0 ] || gh pr create --head "$branch" --fill
