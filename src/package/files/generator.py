"""Generates a core of Runegate for FuseSoC, which runs this with a YAML file: the new core's name, and parameters.

The parameters go into a file for `runegate emit --config`. So the tool itself knows their names and checks them.
"""

import json
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    sys.exit(f"error: {sys.executable} has no PyYAML; install it: {sys.executable} -m pip install PyYAML")

request = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
parameters = request.get("parameters") or {}
# Numbers, truths and texts are written alike in JSON and TOML; the tool refuses anything else.
lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in parameters.items()]
Path("parameters.toml").write_text("".join(lines), encoding="utf-8")
try:
    run = subprocess.run(["runegate", "emit", "--json", "--config", "parameters.toml"], stdout=subprocess.PIPE)
except FileNotFoundError:
    sys.exit("error: the program runegate is not on PATH; install it, or add its folder to PATH")
if run.returncode != 0:
    sys.exit(run.returncode)

files = json.loads(run.stdout)["files"]
core = {
    "name": request["vlnv"],
    "filesets": {
        "rtl": {
            "files": [file for file in files if file.endswith(".v")],
            "file_type": "verilogSource-2005",
        },
        # For scripts and drivers: the description, and with csr the registers.
        "others": {
            "files": [file for file in files if not file.endswith(".v")],
            "file_type": "user",
        },
    },
    "targets": {"default": {"filesets": ["rtl", "others"]}},
}
Path("generated.core").write_text("CAPI=2:\n" + yaml.safe_dump(core, sort_keys=False), encoding="utf-8")
# Otherwise FuseSoC would find this core in its build folder, as one of the user's, with the next run.
Path("FUSESOC_IGNORE").touch()
