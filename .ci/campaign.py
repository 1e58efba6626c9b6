#!/usr/bin/env python3
"""Plays bad luck with real processes: kills, a faulty network, a full disk, a disk that goes; then looks whether all is well.

    .ci/campaign.py PROGRAMS --minutes N [--seed N]

PROGRAMS is a folder with gallery-sync and gallery-sync-media. It plays rounds, each with a seed of its own: a storage server
with faults, and an agent over folders in which files come, are renamed, replaced and deleted. At the end of a round nothing
goes wrong any more, and then must hold: every file is stored byte for byte, no foreign object and no file was changed, the
sums of `status` add up, and no key is in the state. Prints a line a minute and a verdict; exits 1 where something did not hold.
A seed plays the same acts again, not at the same moments. The folder of a round with a problem is kept, and named.
"""
import argparse, collections, hashlib, json, os, pathlib, random, re, shutil, signal, subprocess, sys, tempfile, time
import urllib.request

JPEG = b"\xff\xd8\xff\xe0"
# Rules for `serve --faults`; a round has some of them.
FAULTS = [
    {"rate": 0.05, "status": 503}, {"rate": 0.03, "status": 429, "retryAfter": 1}, {"rate": 0.03, "reset": 0},
    {"method": "POST", "path": "/object/*", "rate": 0.05, "reset": 500}, {"rate": 0.05, "latency": 0.5},
    {"method": "PATCH", "path": "/upload/*", "rate": 0.2, "reset": 100000}, {"rate": 0.03, "truncate": 40},
    {"method": "PATCH", "path": "/upload/*", "rate": 0.1, "status": 500}, {"rate": 0.02, "stall": 2, "after": 10},
]


class Disk:
    """A directory that can be mounted elsewhere; `None` for a place where this user may not mount."""

    def __init__(self, place, size=None):
        self.place, self.source = place, None if size else place.with_name(place.name + ".disk")
        self.size, self.is_there = size, False
        place.mkdir(parents=True)
        if self.source:
            self.source.mkdir()

    def come(self):
        kind = ["--bind", self.source] if self.source else ["-t", "tmpfs", "-o", f"size={self.size}", "tmpfs"]
        self.is_there = self.is_there or subprocess.run(["mount", *kind, self.place], stderr=subprocess.DEVNULL).returncode == 0
        return self.is_there

    def go(self):
        if self.is_there:
            subprocess.run(["umount", "-l", self.place], check=True)
        self.is_there = False


class Round:
    def __init__(self, programs, folder, seed, until, say):
        self.programs, self.folder, self.seed, self.until, self.say = programs, folder, seed, until, say
        self.dice, self.counts, self.contents, self.agent, self.number = random.Random(seed), collections.Counter(), {}, None, 0
        for name in ("home", "Pictures"):
            (folder / name).mkdir()
        self.environment = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "TMPDIR": str(folder)}
        self.state, self.other = Disk(folder / "s", size="48m"), Disk(folder / "Other")
        for disk, lack in ((self.state, "no full disk"), (self.other, "no disk that goes")):
            if not disk.come():
                self.counts[lack + " (this user may not mount)"] = 1
        self.roots = [folder / "Pictures", folder / "Other"]
        self.port, self.server = None, None

    # The server

    def serve(self, faults):
        plan = self.folder / "faults.json5"
        plan.write_text(json.dumps({"seed": self.seed, "rules": faults}))
        words = ["serve", "--data", self.folder / "data", "--json", *(["--port", str(self.port)] if self.port else []),
                 *(["--faults", plan] if faults else [])]
        self.server = subprocess.Popen([self.programs / "gallery-sync", *words], env=self.environment, text=True,
                                       stdout=subprocess.PIPE, stderr=open(self.folder / "serve.log", "a"))
        said = ""
        while "}" not in said:
            line = self.server.stdout.readline()
            if not line:
                raise RuntimeError("serve ends: " + (self.folder / "serve.log").read_text()[-300:])
            said += line
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", said).group(1))
        self.environment["GALLERY_SYNC_KEY"] = (self.folder / "data/service.key").read_text().strip()

    def request(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.environment["GALLERY_SYNC_KEY"], "Content-Type": "image/jpeg"}
        url = f"http://127.0.0.1:{self.port}/storage/v1{path}"
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=20) as answer:
            return answer.read()

    # The agent

    @property
    def common(self):
        return ["--state-dir", self.folder / "s", "--set", f"destination.url=http://127.0.0.1:{self.port}",
                "--set", "scan.settle=0s", "--set", "retry.base=50ms", "--set", "sync.patience=20s"]

    def run(self, *words, limit=240):
        child = subprocess.run([self.programs / "gallery-sync", *words, *self.common], env=self.environment, timeout=limit,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return child.returncode, child.stdout, child.stderr

    def start(self):
        words = self.dice.choices([["watch"], ["sync"], ["reupload", "--all", "--force", "--yes"], ["verify", "--repair"]],
                                  [60, 25, 8, 7])[0]
        roots = self.roots if words[0] in ("watch", "sync") else []
        self.counts[words[0]] += 1
        log = open(self.folder / "agent.log", "ab")
        self.agent = subprocess.Popen([self.programs / "gallery-sync", *words, *roots, *self.common], env=self.environment,
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def end(self, kind):
        if self.agent.poll() is None:
            self.agent.send_signal(kind)
            self.counts[kind.name] += 1
        try:
            code = self.agent.wait(40)
        except subprocess.TimeoutExpired:
            self.agent.kill()
            self.agent.wait()
            return f"{kind.name} is not heard for 40 s"
        if code in (1, -signal.SIGILL, -signal.SIGTRAP, -signal.SIGSEGV, -signal.SIGABRT):
            return f"the agent ends with {code}: {(self.folder / 'agent.log').read_bytes()[-400:].decode(errors='replace')}"

    # The user

    def write(self, path, content):
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.dice.random() < 0.5:
            path.with_name(".new").write_bytes(content)
            path.with_name(".new").rename(path)
        else:
            with open(path, "wb") as file:
                for start in range(0, len(content), 1 << 20):
                    file.write(content[start:start + (1 << 20)])
        self.contents[path] = hashlib.sha256(content).hexdigest()

    def act(self):
        dice, roots = self.dice, [root for root in self.roots if root.name != "Other" or self.other.is_there]
        here = [path for path in self.contents if path.relative_to(self.folder).parts[0] in [root.name for root in roots]]
        act = dice.choices(["write", "large", "rename", "folder", "replace", "delete", "copy"], [40, 4, 15, 8, 15, 8, 10])[0]
        if act in ("write", "large") or len(here) < 20:
            self.number += 1
            size = dice.randrange(7_000_000, 9_000_000) if act == "large" else dice.randrange(0, 80_000)
            name = dice.choice(["IMG %d.jpg", "été/ü%d.JPG", "a/b/%d.heic", "%d!x%%.png"]) % self.number
            self.write(dice.choice(roots) / name, JPEG + dice.randbytes(size))
        elif act == "rename":
            self.move(dice.choice(here), lambda path: path.with_name(f"renamed {self.next()}.jpg"))
        elif act == "folder":
            folder = dice.choice(here).parent
            if folder not in self.roots and len(folder.relative_to(self.folder).parts) == 2:
                target = folder.with_name(f"folder {self.next()}")
                folder.rename(target)
                for path in [path for path in self.contents if folder in path.parents]:
                    self.contents[target / path.relative_to(folder)] = self.contents.pop(path)
        elif act == "replace":
            # Few, since many changes in one hour are held by the brake.
            if self.counts["replaced"] < 30:
                self.write(dice.choice(here), JPEG + dice.randbytes(dice.randrange(100, 60_000)))
                self.counts["replaced"] += 1
        elif act == "delete":
            path = dice.choice(here)
            path.unlink()
            del self.contents[path]
        elif act == "copy":
            path = dice.choice(here)
            self.write(path.with_name(f"copy {self.next()}.jpg"), path.read_bytes())
        self.counts["acts"] += 1

    def next(self):
        self.number += 1
        return self.number

    def move(self, path, name):
        target = name(path)
        path.rename(target)
        self.contents[target] = self.contents.pop(path)

    # Bad luck

    def misfortune(self):
        kind = self.dice.choices(["server", "full", "gone", "nothing"], [12, 12, 12, 64])[0]
        if kind == "server":
            self.server.kill()
            self.server.wait()
            time.sleep(self.dice.random())
            self.serve(self.faults)
            self.counts["server killed"] += 1
        elif kind == "full" and self.state.is_there:
            filler = self.folder / "s/filler"
            try:
                with open(filler, "wb") as file:
                    while True:
                        file.write(bytes(1 << 16))
                        file.flush()
            except OSError:
                self.counts["disk full"] += 1
            self.act()
            time.sleep(self.dice.uniform(0.2, 2))
            filler.unlink(missing_ok=True)
        elif kind == "gone" and self.other.is_there:
            self.other.go()
            self.counts["disk gone"] += 1
            time.sleep(self.dice.uniform(0.1, 3))
            self.other.come()

    def play(self):
        self.faults = self.dice.sample(FAULTS, 4)
        self.serve([])
        for _ in range(40):
            self.act()
        code, out, err = self.run("sync", *self.roots)
        if code != 0:
            return [f"the first sync ends with {code}: {(out + err)[-300:]}"]
        self.foreign = {key: JPEG + self.dice.randbytes(3_000) for key in ("elsewhere/keep.jpg", "Pictures/not ours.jpg")}
        for key, content in self.foreign.items():
            self.request("POST", "/object/media/" + urllib.request.quote(key), content)
        self.server.terminate()
        self.server.wait()
        self.serve(self.faults)
        problems = []
        while time.monotonic() < self.until and not problems:
            self.start()
            for _ in range(self.dice.randrange(1, 6)):
                time.sleep(self.dice.expovariate(3))
                self.act()
                self.misfortune()
            problems += filter(None, [self.end(self.dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))])
        return problems + self.quiet()

    # What must hold

    def quiet(self):
        """Nothing goes wrong any more: all must be well soon."""
        self.server.terminate()
        self.server.wait()
        self.other.come()
        self.serve([])
        for attempt in range(6):
            code, out, err = self.run("sync", *self.roots)
            if "--changed" in out + err:
                self.run("reupload", "--changed", "--yes")
            elif code == 0:
                break
        problems = [] if code == 0 else [f"the last sync ends with {code}: {(out + err)[-500:]}"]
        return problems + self.sums() + self.bytes() + self.strangers() + self.secrets()

    def sums(self):
        code, out, err = self.run("status", "--json")
        status = json.loads(out)
        assets = status["assets"]
        if assets["total"] != sum(assets[key] for key in ("stored", "waiting", "failed", "unreadable")):
            return [f"the sums do not add up: {assets}"]
        if assets["total"] != len(self.contents) or assets["stored"] != len(self.contents):
            return [f"{len(self.contents)} files, but {assets}"]
        code, out, err = self.run("verify")
        return [] if code == 0 else [f"verify ends with {code}: {(out + err)[-300:]}"]

    def bytes(self):
        code, out, err = self.run("restore", "--to", self.folder / "back")
        problems = [] if code == 0 else [f"restore ends with {code}: {(out + err)[-300:]}"]
        for path, content in self.contents.items():
            name = path.relative_to(self.folder)
            if hashlib.sha256(path.read_bytes()).hexdigest() != content:
                problems.append(f"{name} was changed")
            back = self.folder / "back" / name
            if not back.exists():
                problems.append(f"{name} is not restored")
            elif hashlib.sha256(back.read_bytes()).hexdigest() != content:
                problems.append(f"{name} is restored as something else")
        there = {path for root in self.roots for path in root.rglob("*") if path.is_file()}
        return problems + [f"{path} appeared" for path in there - set(self.contents)]

    def strangers(self):
        return [f"{key} is not as it was" for key, content in self.foreign.items()
                if self.request("GET", "/object/authenticated/media/" + urllib.request.quote(key)) != content]

    def secrets(self):
        key = self.environment["GALLERY_SYNC_KEY"].encode()
        return [f"the key is in {path}" for path in (self.folder / "s").rglob("*")
                if path.is_file() and (key in path.read_bytes() or key.split(b".")[-1] in path.read_bytes())]

    def close(self):
        for child in (self.agent, self.server):
            if child and child.poll() is None:
                child.kill()
                child.wait()
        self.other.go()
        self.state.go()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    order = parser.parse_args()
    start, deadline, totals = time.monotonic(), time.monotonic() + order.minutes * 60, collections.Counter()
    seed, bad, rounds, told = order.seed, 0, 0, time.monotonic()
    print(f"campaign: seed {seed}", flush=True)
    while time.monotonic() < deadline:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="campaign."))
        until = min(deadline, time.monotonic() + 90)
        play = Round(order.programs.resolve(), folder, seed, until, print)
        try:
            problems = play.play()
        except (OSError, RuntimeError, subprocess.SubprocessError, ValueError) as error:
            problems = [f"the round itself: {error!r}"]
        if problems and play.state.is_there:
            shutil.copytree(folder / "s", folder / "state", ignore=lambda _, names: [n for n in names if n.endswith(".sock")])
        play.close()
        totals += play.counts
        rounds += 1
        if problems:
            bad += 1
            print(f"seed {seed}: {len(problems)} problems, kept in {folder}", flush=True)
            for problem in problems[:8]:
                print(f"    {problem}", flush=True)
        else:
            shutil.rmtree(folder)
        if time.monotonic() - told > 60 or problems:
            told = time.monotonic()
            print(f"{(told - start) / 60:5.1f} min, {rounds} rounds, {bad} bad, {len(play.contents)} files: "
                  + ", ".join(f"{name} {count}" for name, count in sorted(totals.items())), flush=True)
        seed += 1
    print(f"verdict: {rounds} rounds, {bad} with problems: " + ", ".join(f"{n} {c}" for n, c in sorted(totals.items())))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
