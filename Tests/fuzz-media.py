#!/usr/bin/env python3
"""Feeds mutated media to the worker and watches what it does.

    python3 Tests/fuzz-media.py WORKER [COUNT] [SEED]

WORKER is a gallery-sync-media, best built with AddressSanitizer:

    swift build -c release --sanitize=address --product gallery-sync-media

It encodes one file of every format (`make`), then sends COUNT (20,000) changed copies through
`serve --sanitizer`: bytes flipped, ends cut, pieces repeated, and headers of one format before the rest of
another. What counts: every file gets an answer within its time and memory; a worker that ends is a finding,
whose file is kept in the current directory, and is replaced. Exits 1 when there were findings.
"""
import array
import json
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

SECONDS = 60
RESIDENT = 3 << 30  # AddressSanitizer's shadow and quarantine included
TYPES = {
    "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "bmp": "image/bmp", "tiff": "image/tiff",
    "jxl": "image/jxl", "heic": "image/heic", "avif": "image/avif", "mp4": "video/mp4", "mov": "video/quicktime",
    "webm": "video/webm", "mkv": "video/matroska", "avi": "video/x-msvideo", "ts": "video/mp2t", "gif": "image/gif",
}
LIMITS = {"maxPixels": 1 << 24, "probeBytes": 1 << 20, "posterSeconds": 2, "posterCandidates": 5}


class Worker:
    """One worker and the socket to it."""

    def __init__(self, program):
        self.kept, handed = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        environment = {"SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
        # Not a pipe: nothing reads along, and a full one would stop the worker.
        self.words = tempfile.TemporaryFile()
        # The worker expects its socket as descriptor 3.
        self.child = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" serve --sanitizer 3<&{handed.fileno()}', program],
            pass_fds=[handed.fileno()], env=environment, stdin=subprocess.DEVNULL, stderr=self.words)
        handed.close()
        # Answers that had a picture in spite of the damage.
        self.pictures = 0

    def examine(self, file, content_type):
        """`None` for an answer, else what happened instead."""
        job = {
            "id": 1, "type": content_type, "specs": [{"longSide": 128, "maxBytes": 200000, "format": "jpeg"}], "limits": LIMITS,
            "background": {"red": 255, "green": 255, "blue": 255},
        }
        text = json.dumps(job).encode()
        message = struct.pack(">I", len(text)) + text
        frame = struct.pack(">I", len(message)) + message
        deadline = time.monotonic() + SECONDS
        try:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno()]))]
            self.kept.sendmsg([frame], rights)
            length = self.receive(4, deadline)
            answer = self.receive(struct.unpack(">I", length)[0], deadline)
        except (OSError, EOFError) as error:
            return str(error) or "ended"
        resident = int(open(f"/proc/{self.child.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        self.pictures += b'"pictures":[{' in answer
        return f"{resident >> 20} MiB resident" if resident > RESIDENT else None

    def receive(self, count, deadline):
        data = b""
        while len(data) < count:
            self.kept.settimeout(max(0.01, deadline - time.monotonic()))
            piece = self.kept.recv(count - len(data))
            if not piece:
                raise EOFError("the worker ended")
            data += piece
        return data

    def close(self):
        """Ends it; what it wrote last."""
        self.kept.close()
        self.child.kill()
        self.child.wait()
        self.words.seek(0)
        return self.words.read().decode(errors="replace")[-4000:]


def mutated(dice, seeds):
    """A changed copy of one seed, with its content type."""
    name, whole = dice.choice(seeds)
    data = bytearray(whole)
    kind = dice.randrange(5)
    if kind == 0:
        data = data[: dice.randrange(12, len(data))]
    elif kind == 1:
        start = dice.randrange(len(data))
        piece = data[start:start + dice.randrange(1, 4096)]
        data[dice.randrange(len(data)):0] = piece
    elif kind == 2:
        head = dice.choice(seeds)[1]
        data = bytearray(head[: dice.randrange(12, min(2048, len(head)))]) + data[dice.randrange(2048):]
    # Headers are where decoders decide, so half of the changes go there.
    for _ in range(dice.choice([1, 2, 4, 8, 32, 128])):
        limit = min(len(data), 1024) if dice.random() < 0.5 else len(data)
        at = dice.randrange(limit)
        data[at] = dice.choice([data[at] ^ (1 << dice.randrange(8)), dice.randrange(256), 0, 255])
    return TYPES[name.rsplit(".", 1)[-1]], bytes(data)


def made(program, folder):
    """One small file of every format."""
    formats = ["jpeg" if name == "jpg" else name for name in TYPES]
    words = [word for name in formats for word in ("--only", name)]
    subprocess.run(
        [program, "make", folder, *words, "--size", "160x96", "--seconds", "1"], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"ASAN_OPTIONS": "detect_leaks=0"})
    return [(name, open(os.path.join(folder, name), "rb").read()) for name in sorted(os.listdir(folder))]


def main(program, count=20000, seed=1):
    dice = random.Random(int(seed))
    findings = pictures = 0
    with tempfile.TemporaryDirectory() as folder:
        seeds = made(program, folder)
        worker = Worker(program)
        for number in range(int(count)):
            content_type, data = mutated(dice, seeds)
            with tempfile.TemporaryFile() as file:
                file.write(data)
                file.flush()
                finding = worker.examine(file, content_type)
            if finding:
                findings += 1
                kept = f"finding-{seed}-{number}"
                open(kept, "wb").write(data)
                print(f"{kept} ({content_type}): {finding}\n{worker.close()}", flush=True)
                pictures += worker.pictures
                worker = Worker(program)
            elif number % 1000 == 999:
                print(f"{number + 1} files, {findings} findings", flush=True)
        pictures += worker.pictures
        worker.close()
    print(f"{count} files, {pictures} with a picture all the same, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:4]))
