#!/bin/sh
# Installs this bundle without a network: ./install.sh [FOLDER], else /opt/lustra. Into FOLDER/<version>, to which
# FOLDER/current then leads; versions that are there stay, and going back is one link.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-/opt/lustra}
cd "$here"
version=$(cat VERSION)
python=${PYTHON:-python3}

sha256sum --check --quiet --strict SHA256SUMS || { echo "install: files of this bundle were changed or cut" >&2; exit 1; }
place="$folder/$version"
if [ -e "$place" ]; then
    echo "install: $place is there already: remove it first, or choose another folder" >&2
    exit 1
fi
mkdir -p "$folder"
trap 'rm -rf "$place"; echo "install: nothing was installed" >&2' EXIT
"$python" -m venv "$place"
pip() { "$place/bin/python" -m pip --quiet --disable-pip-version-check --no-cache-dir "$@"; }
pip install --no-index --find-links wheels --no-deps --require-hashes -r requirements.txt
cp -r deploy docs "$place"
ln -s "$version" "$folder/current.new"
mv -T "$folder/current.new" "$folder/current"
trap - EXIT
echo "Lustra $version is installed in $place; $folder/current leads there."
