#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the container: the course's Python and what it needs.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3-venv libseccomp2 ca-certificates
python3 -m venv /opt/uv
/opt/uv/bin/pip install --quiet uv
# Not below /root: the sandbox runs as a user who cannot read there.
export UV_PYTHON_INSTALL_DIR=/opt/python
/opt/uv/bin/uv venv --seed --python 3.11 /autograder/venv
cd /autograder/source/course
/autograder/venv/bin/pip install --quiet --extra-index-url https://download.pytorch.org/whl/cpu -r requirements.txt
/autograder/venv/bin/autograder doctor || true  # what protects this container stands in the build's log
