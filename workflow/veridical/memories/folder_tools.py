"""The file-memory tools: view, create, str_replace, insert, delete, rename below /memories.

The protocol by which some agents keep files as their memory. A path never leads out of the folder,
and what can't be done is said to the model in words, as another reply of the tool.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = "/memories"


def _tool(name: str, description: str, **arguments: str) -> dict[str, Any]:
    properties = {key: {"type": kind} for key, kind in arguments.items()}
    return {
        "name": name,
        "description": description,
        "schema": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }


TOOLS = (
    _tool("view", "Show a folder's files, or a file with line numbers.", path="string"),
    _tool("create", "Write a file, over one that is there.", path="string", file_text="string"),
    _tool(
        "str_replace",
        "Replace a text that stands in a file once.",
        path="string",
        old_str="string",
        new_str="string",
    ),
    _tool(
        "insert",
        "Insert a text behind a line of a file; 0 is its beginning.",
        path="string",
        insert_line="integer",
        insert_text="string",
    ),
    _tool("delete", "Delete a file or folder.", path="string"),
    _tool("rename", "Rename or move a file or folder.", old_path="string", new_path="string"),
)


class FolderTools:
    """The tools over one folder, which is what /memories stands for."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What the tool says; an error in words where it can't be done."""
        tool = next((each for each in TOOLS if each["name"] == name), None)
        if tool is None:
            return f"Error: there is no tool {name!r}"
        if missing := [each for each in tool["schema"]["required"] if each not in arguments]:
            return f"Error: {name} needs {missing[0]}"
        try:
            return getattr(self, f"_{name}")(
                **{k: arguments[k] for k in tool["schema"]["required"]}
            )
        except (OSError, ValueError) as error:
            return f"Error: {error}"

    def files(self) -> list[Path]:
        """Every file, by its path."""
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def is_file(self, path: Any) -> bool:
        """Whether a path names a file that is there."""
        try:
            return self._inside(path).is_file()
        except (OSError, ValueError):
            return False

    def _inside(self, path: Any) -> Path:
        text = str(path)
        if text != ROOT and not text.startswith(f"{ROOT}/"):
            raise ValueError(f"{text} does not begin with {ROOT}")
        found = (self.folder / text[len(ROOT) :].lstrip("/")).resolve()
        if not found.is_relative_to(self.folder.resolve()):
            raise ValueError(f"{text} leads out of {ROOT}")
        return found

    def _there(self, path: Any) -> Path:
        found = self._inside(path)
        if not found.exists():
            raise ValueError(f"{path} does not exist")
        return found

    def _view(self, path: Any) -> str:
        found = self._there(path)
        if found.is_dir():
            names = [each.relative_to(self.folder).as_posix() for each in self.files()]
            return "\n".join([f"Files in {ROOT}:", *(f"{ROOT}/{name}" for name in names)])
        return "\n".join(f"{n:6}\t{line}" for n, line in enumerate(_lines(found), start=1))

    def _create(self, path: Any, file_text: Any) -> str:
        found = self._inside(path)
        found.parent.mkdir(parents=True, exist_ok=True)
        found.write_text(str(file_text), encoding="utf-8", newline="")
        return f"{path} is written"

    def _str_replace(self, path: Any, old_str: Any, new_str: Any) -> str:
        found = self._there(path)
        text = found.read_text(encoding="utf-8")
        times = text.count(str(old_str)) if old_str else 0
        if times != 1:
            raise ValueError(f"the text to replace stands in {path} {times} times, not once")
        return self._create(path, text.replace(str(old_str), str(new_str)))

    def _insert(self, path: Any, insert_line: Any, insert_text: Any) -> str:
        lines = _lines(self._there(path))
        if isinstance(insert_line, bool) or insert_line not in range(len(lines) + 1):
            raise ValueError(f"insert_line is {insert_line!r}; {path} has {len(lines)} lines")
        lines.insert(int(insert_line), str(insert_text).removesuffix("\n"))
        return self._create(path, "\n".join(lines) + "\n")

    def _delete(self, path: Any) -> str:
        found = self._there(path)
        if found == self.folder.resolve():
            raise ValueError(f"{ROOT} itself can't be deleted")
        shutil.rmtree(found) if found.is_dir() else found.unlink()
        return f"{path} is deleted"

    def _rename(self, old_path: Any, new_path: Any) -> str:
        old, new = self._there(old_path), self._inside(new_path)
        if new.exists():
            raise ValueError(f"{new_path} is there already")
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
        return f"{old_path} is now {new_path}"


def _lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n") if text else []
