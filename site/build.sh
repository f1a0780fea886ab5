#!/usr/bin/env bash
# Builds the documentation site into build-docs/site; ./dev docs calls it when the program is built. The generator and KaTeX come from
# the package registries in the versions of requirements.txt and package-lock.json, once; the site itself loads nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build-docs
mkdir -p "$out/npm"

if ! cmp -s site/requirements.txt "$out/installed.txt"; then
  echo "installing MkDocs into $out/venv" >&2
  python3 -m venv --clear "$out/venv"
  "$out/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r site/requirements.txt
  cp site/requirements.txt "$out/installed.txt"
fi
if ! cmp -s site/package-lock.json "$out/installed.json"; then
  echo "installing KaTeX into $out/npm" >&2
  cp site/package.json site/package-lock.json "$out/npm/"
  (cd "$out/npm" && npm ci --silent --no-audit --no-fund)
  cp site/package-lock.json "$out/installed.json"
fi

python3 site/stage.py "$out" --program build/jounce
mkdir -p "$out/pages/assets/katex"
cp -r "$out/npm/node_modules/katex/dist/katex.min.css" "$out/npm/node_modules/katex/dist/fonts" "$out/pages/assets/katex/"
cp "$out/npm/node_modules/iframe-worker/shim/index.js" "$out/pages/assets/iframe-worker.js"
NO_MKDOCS_2_WARNING=1 "$out/venv/bin/mkdocs" build --strict --quiet --config-file "$out/mkdocs.yml"
cp site/equations.mjs "$out/npm/"
node "$out/npm/equations.mjs" "$out/site"
python3 tools/check_site.py "$out/site"
echo "the site: $out/site/index.html"
