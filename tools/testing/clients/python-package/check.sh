# The package parcelway for Python, as it is in the checkout and as it is published.
python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)' || { echo 'needs Python 3.11 or newer with venv'; exit 69; }
export PYTHONDONTWRITEBYTECODE=1
pip='-m pip install --quiet --disable-pip-version-check'
cp -R "$CHECKOUT/clients/python" package
# Without what checks and builds by hand leave beside the sources.
find package -mindepth 1 \( -name __pycache__ -o -name dist -o -name '.?*' \) -prune -exec rm -rf {} +
python3 -m venv venv
venv/bin/python $pip --requirement package/requirements-dev.txt ./package
(
  cd package
  PATH="$PWD/../venv/bin:$PATH"
  ruff check --no-cache .
  ruff format --no-cache --check .
  mypy
  pytest -q
  # What is published: both are built in a folder of their own from the registry alone, and the wheel from the source distribution.
  python -m build --outdir ../dist
)
venv/bin/twine check --strict dist/*
rm -rf fresh
python3 -m venv fresh
fresh/bin/python $pip dist/*.whl
# The wheel has its types with it.
venv/bin/mypy --strict --python-executable fresh/bin/python journey.py
fresh/bin/python journey.py
