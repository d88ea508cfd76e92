#!/bin/sh
# Trains the vectors of verses and writes them into the package: verse-vectors.sh FOLDER [OPTION...]
# Keeps texts, their vectors and the log in FOLDER. The options are those of train-verse-vectors.py.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
mkdir -p "$folder"
node "$here/make-pairs.mjs" "$folder/pairs.tsv"
node "$here/../../../../services/search/vectors/embed-pairs.mjs" "$folder/pairs.tsv" "$folder"
python3 "$here/train-verse-vectors.py" "$folder" "$@" | tee "$folder/log.txt"
node "$here/../../vectors/write-verse-vectors.mjs" "$folder/trained.f32"
