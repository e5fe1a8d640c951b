# A client for Python by openapi-python-client.
python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)' || { echo 'needs Python 3.11 or newer with venv'; exit 69; }
python3 -m venv venv
# It formats what it writes with the ruff beside it.
PATH="$PWD/venv/bin:$PATH"
pip install --quiet --disable-pip-version-check --requirement requirements.txt
openapi-python-client generate --path openapi.json --meta none --output-path parcelway_client --overwrite
mypy submit_forecast.py
python submit_forecast.py
