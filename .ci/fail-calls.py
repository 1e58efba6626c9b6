#!/usr/bin/env python3
"""Fails every call of files, and every allocation of a C library, one after another (as SQLite's tests do).

    .ci/fail-calls.py PROGRAMS [--seconds N] [--only NAME] [--at N]

PROGRAMS is a folder with gallery-sync and gallery-sync-media that link C libraries dynamically, such as .build/debug. Each
run of a program has one call that fails; without --seconds it is each call in turn, else as many of them as N seconds for
each program allow, evenly spread. --only NAME --at N fails one call again.

What must hold: the program ends in an orderly way, with a sentence where it did not succeed (an allocation may kill it); what
it said is true; the next run, in which nothing fails, mends all: every file is stored byte for byte, and none was changed.
Exits 1 where something else happened. Not part of CI, since it takes minutes.
"""
import argparse, array, filecmp, json, os, pathlib, re, shutil, signal, socket, struct, subprocess, sys, tempfile, time

ORDERLY = {0, 2, 3, 5, 6, 7, 11, 74, 78}
LIMIT = 60
MEDIA = {"jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff",
         "heic": "image/heic", "avif": "image/avif", "gif": "image/gif", "mp4": "video/mp4", "webm": "video/webm"}


class Ground:
    """Programs, a storage server, and a folder for everything else."""

    def __init__(self, programs, folder):
        self.programs, self.folder = pathlib.Path(programs).resolve(), pathlib.Path(folder)
        self.library = self.folder / "fail-calls.so"
        source = pathlib.Path(__file__).with_suffix(".c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", self.library, source, "-ldl"], check=True)
        self.environment = {"HOME": str(self.folder / "home"), "PATH": os.environ["PATH"], "TMPDIR": str(self.folder),
                            "SWIFT_BACKTRACE": "enable=no"}
        (self.folder / "home").mkdir()
        self.pictures = self.folder / "made"
        self.run("gallery-sync-media", "make", self.pictures, *[w for kind in MEDIA for w in ("--only", kind)],
                 "--size", "96x64", "--seconds", "1")
        data = self.folder / "data"
        self.server = subprocess.Popen([self.programs / "gallery-sync", "serve", "--data", data, "--json"],
                                       env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        words = ""
        while "}" not in words:
            words += self.server.stdout.readline()
        self.url = re.search(r'http://127\.0\.0\.1:\d+', words.replace("\\/", "/")).group()
        self.environment["GALLERY_SYNC_KEY"] = (data / "service.key").read_text().strip()

    def run(self, program, *words, failing=None, stdin=None):
        """The exit code (negative for a signal), and what was said on both streams."""
        environment = dict(self.environment, **(failing or {}))
        try:
            child = subprocess.run([self.programs / program, *words], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, "", "hangs"
        return child.returncode, child.stdout.decode(errors="replace"), child.stderr.decode(errors="replace")

    def failing(self, program, kind, at, below):
        """Variables for a run in which call number `at` fails; 0 counts the calls only."""
        self.report = self.folder / "report"
        self.report.unlink(missing_ok=True)
        return {"LD_PRELOAD": str(self.library), "FAIL_PROGRAM": program, "FAIL_KIND": kind, "FAIL_AT": str(at),
                "FAIL_BELOW": str(below), "FAIL_REPORT": str(self.report), "FAIL_ERRNO": "5"}

    def failed(self):
        """The call that failed, `None` where none did, and the number of calls where the program came to its end."""
        lines = self.report.read_text(errors="replace").splitlines() if self.report.exists() else []
        failed = next((line for line in lines if not line.startswith("calls ")), None)
        calls = next((int(line.split()[1]) for line in lines if line.startswith("calls ")), 0)
        return failed, calls


def problem(code, said, kind):
    """What is not orderly about how a program ended."""
    if code is None:
        return "hangs"
    if kind == "malloc" and (code < 0 or code >= 128):
        return None
    if code not in ORDERLY:
        return f"ends with {code}: {said.strip()[-300:]}"
    if code != 0 and len(said.strip()) < 10:
        return f"ends with {code} and says nothing"
    if "Fatal error" in said:
        return said.strip()[-300:]


class Sync:
    """One `sync` of three files, then the same without a failure, and a restore of all."""
    program = "gallery-sync"

    def __init__(self, ground):
        self.ground, self.round = ground, 0
        self.files = {"a.jpg": next(ground.pictures.glob("*.jp*g")).read_bytes(),
                      "b/c.png": next(ground.pictures.glob("*.png")).read_bytes(),
                      "b/large.jpg": b"\xff\xd8\xff\xe0" + bytes(range(256)) * 28_000}

    def place(self):
        self.round += 1
        place = self.ground.folder / "rounds" / str(self.round)
        self.root = place / f"P{self.round}"
        for name, content in self.files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(content)
        self.words = ["--state-dir", place / "s", "--set", f"destination.url={self.ground.url}",
                      "--set", "scan.settle=0s", "--set", "retry.base=20ms", "--set", "sync.patience=2s"]
        return place

    def restored(self, place, *, clean=True, failing=None):
        """What is not as it was when everything is restored; restores into a folder that may hold a part already."""
        code, out, err = self.ground.run("gallery-sync", "restore", self.root.name, "--to", place / "back", *self.words,
                                         failing=failing)
        if code != 0:
            return f"restore ends with {code}: {(out + err).strip()[-300:]}"
        for name, content in self.files.items():
            back = place / "back" / self.root.name / name
            if not back.exists() or back.read_bytes() != content:
                return f"{name} is not restored as it was"

    def once(self, kind, at):
        place = self.place()
        try:
            failing = self.ground.failing(self.program, kind, at, place)
            code, out, err = self.ground.run("gallery-sync", "sync", self.root, *self.words, failing=failing)
            failed, calls = self.ground.failed()
            found = problem(code, out + err, kind)
            if not found and code == 0 and at:
                found = self.restored(place)
                found = found and f"said all is stored, but {found}"
                shutil.rmtree(place / "back", ignore_errors=True)
            return failed, calls, found or self.mended(place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def mended(self, place):
        code, out, err = self.ground.run("gallery-sync", "sync", self.root, *self.words)
        if code != 0:
            return f"the next sync ends with {code}: {(out + err).strip()[-300:]}"
        changed = [n for n, content in self.files.items() if (self.root / n).read_bytes() != content]
        return f"{changed} was changed" if changed else self.restored(place)


class Restore(Sync):
    """A `restore` of three files, then the same without a failure."""

    def once(self, kind, at):
        if self.round == 0:
            self.kept = self.place()
            self.mended(self.kept)
        shutil.rmtree(self.kept / "back", ignore_errors=True)
        words = ["restore", self.root.name, "--to", self.kept / "back", *self.words]
        failing = self.ground.failing(self.program, kind, at, self.kept)
        code, out, err = self.ground.run("gallery-sync", *words, failing=failing)
        failed, calls = self.ground.failed()
        found = problem(code, out + err, kind)
        if not found and code == 0 and at:
            for name, content in self.files.items():
                back = self.kept / "back" / self.root.name / name
                if not back.exists() or back.read_bytes() != content:
                    found = f"said all is restored, but {name} is not as it was"
        return failed, calls, found or self.restored(self.kept)


class Look(Sync):
    """A command that only looks; what it says without a failure is said again afterwards."""

    def __init__(self, ground, *command):
        super().__init__(ground)
        self.command = command
        # Something to read for commands that look at the settings alone.
        (ground.folder / "home/.config/gallery-sync").mkdir(parents=True, exist_ok=True)
        (ground.folder / "home/.config/gallery-sync/config.json5").write_text("{profiles: {default: {}}}")

    def once(self, kind, at):
        if self.round == 0:
            self.kept = self.place()
            self.ground.run("gallery-sync", "sync", self.root, *self.words)
        failing = self.ground.failing(self.program, kind, at, self.ground.folder)
        code, out, err = self.ground.run("gallery-sync", *self.command, *self.words, failing=failing)
        failed, calls = self.ground.failed()
        found = problem(code, out + err, kind)
        if not found:
            code, out, err = self.ground.run("gallery-sync", *self.command, *self.words)
            found = None if code == 0 else f"afterwards it ends with {code}: {(out + err).strip()[-300:]}"
        return failed, calls, found


class Picture:
    """One picture or film through a media worker; an answer with pictures is the one of a run without a failure."""
    program = "gallery-sync-media"

    def __init__(self, ground, kind):
        self.ground, self.type = ground, MEDIA[kind]
        ending = {"jpeg": "jp*g"}.get(kind, kind)
        self.path = next(ground.pictures.glob(f"*.{ending}"))
        self.whole = None

    def answer(self, failing):
        kept, handed = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        child = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" serve --sanitizer 3<&{handed.fileno()}', self.ground.programs / self.program],
            pass_fds=[handed.fileno()], env=dict(self.ground.environment, **failing), stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        handed.close()
        kept.settimeout(LIMIT)
        job = {"id": 1, "type": self.type, "specs": [{"longSide": 64, "maxBytes": 200000, "format": "jpeg"}],
               "limits": {"maxPixels": 1 << 24, "probeBytes": 1 << 20, "posterSeconds": 9, "posterCandidates": 5},
               "background": {"red": 255, "green": 255, "blue": 255}}
        text = json.dumps(job).encode()
        frame = struct.pack(">I", len(text)) + text
        data = b""
        try:
            with open(self.path, "rb") as file:
                rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno()]))]
                kept.sendmsg([struct.pack(">I", len(frame)) + frame], rights)
                while len(data) < 4 or len(data) < 4 + struct.unpack(">I", data[:4])[0]:
                    piece = kept.recv(1 << 16)
                    if not piece:
                        break
                    data += piece
        except TimeoutError:
            child.kill()
            return "hangs", None
        except OSError:
            pass
        kept.close()
        try:
            code = child.wait(LIMIT)
        except subprocess.TimeoutExpired:
            child.kill()
            return "hangs", None
        return data[4:], code

    @staticmethod
    def told(head):
        facts = {name: value for name, value in head.get("facts", {}).items() if name not in ("thumbHash", "posterFrames")}
        # A decoder of movies leaves the file's own date to the library, one of pictures names it.
        if facts.get("takenAtSource") == "file":
            facts = {name: value for name, value in facts.items() if name not in ("takenAt", "takenAtSource", "isExposureDate")}
        return facts, [(picture["width"], picture["height"]) for picture in head.get("pictures", [])]

    def once(self, kind, at):
        data, code = self.answer(self.ground.failing(self.program, kind, at, self.ground.pictures))
        failed, calls = self.ground.failed()
        if data == "hangs":
            return failed, calls, "hangs"
        if not data:
            return failed, calls, None if at and code != 0 else "ends without an answer"
        length = struct.unpack(">I", data[:4])[0]
        head, pictures = json.loads(data[4:4 + length]), data[4 + length:]
        if not at:
            self.whole = head, pictures
            return failed, calls, None if "facts" in head and pictures else f"no picture at all: {head}"
        # Another decoder may have stepped in, or another frame: the picture has other bytes then.
        isSame = pictures and self.told(head) == self.told(self.whole[0])
        isHonest = "failure" in head or head["facts"].get("notes")
        return failed, calls, None if isSame or isHonest else f"another answer without a note: {head}"


def jobs(ground):
    yield "sync", "file", Sync(ground)
    yield "restore", "file", Restore(ground)
    yield "status", "file", Look(ground, "status")
    yield "config-check", "file", Look(ground, "config", "check")
    for kind in MEDIA:
        yield kind, "malloc", Picture(ground, kind)
    yield "sync-memory", "malloc", Sync(ground)
    yield "restore-memory", "malloc", Restore(ground)
    yield "status-memory", "malloc", Look(ground, "status")
    yield "config-check-memory", "malloc", Look(ground, "config", "check")


def numbers(total, order):
    """Each number of a call once; the order lets any beginning of it be spread evenly."""
    if order.at:
        return [order.at]
    if not order.seconds:
        return range(1, total + 1)
    bits = max(1, (total).bit_length())
    spread = [int(format(number, f"0{bits}b")[::-1], 2) + 1 for number in range(1 << bits)]
    return [number for number in spread if number <= total]


def campaign(ground, order):
    findings = 0
    for name, kind, job in jobs(ground):
        if order.only and order.only != name:
            continue
        _, total, found = job.once(kind, 0)
        if found or not total:
            print(f"{name}: does not even work without a failure: {found}", flush=True)
            findings += 1
            continue
        deadline = time.monotonic() + (order.seconds or 1e9)
        tried, met, here = 0, 0, {}
        for at in numbers(total, order):
            if time.monotonic() > deadline:
                break
            failed, _, found = job.once(kind, at)
            tried += 1
            met += failed is not None
            if found:
                here.setdefault(f"{(failed or '?').split()[0]}: {found}", []).append((at, failed))
        print(f"{name:20} {total:7} calls, {tried:6} runs, {met:6} failures met, {len(here)} findings", flush=True)
        for found, places in list(here.items())[:12]:
            print(f"    at {places[0][0]} ({places[0][1]}), {len(places)} times: {found}", flush=True)
        findings += len(here)
    return findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--only")
    parser.add_argument("--at", type=int)
    order = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fail-calls.") as folder:
        ground = Ground(order.programs, folder)
        try:
            findings = campaign(ground, order)
        finally:
            ground.server.send_signal(signal.SIGTERM)
            ground.server.wait(20)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
