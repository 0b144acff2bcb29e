"""Says where in a config file a mistake stands, which the engine leaves out.

The engine reads what `--configfile` names before any code of the workflow runs, and its error names
neither file nor line. It finds this plugin by its name and uses it because `profiles/default` says
`logger: veridical`; whatever else it logs is passed over.
"""

from __future__ import annotations

import sys
from logging import ERROR, LogRecord
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from veridical.base.yaml_files import YAMLError, as_mapping, read_yaml


class LogHandler(LogHandlerBase):
    """Writes behind an error about a config file what is wrong with it, and where."""

    writes_to_stream = writes_to_file = has_filter = has_formatter = needs_rulegraph = False

    def emit(self, record: LogRecord) -> None:
        """Look into the config files of the command line once the engine gave up on one."""
        if record.levelno >= ERROR and "Config file " in record.getMessage():
            for argument in sys.argv[1:]:
                path = Path(argument.rpartition("=")[2])
                if path.suffix in (".yaml", ".yml", ".json") and path.is_file():
                    self._explain(path)

    @staticmethod
    def _explain(path: Path) -> None:
        try:
            as_mapping(read_yaml(path), str(path))
        except YAMLError as error:
            print(f"\n{error}", file=sys.stderr)
