#!/usr/bin/env python3
"""Puts one deliberate fault after another into a copy of the sources, and lets the simulator look for each.

    .ci/mutate.py [--seconds 120] [--copy FOLDER] [--build 'swift build ...'] [--program PATH] [NAME ...]

Prints a line for each: the seed that found it and after how long, or that it was not found. The copy keeps its build folder,
so that a mutation costs the modules above it only.
"""
import argparse, pathlib, re, subprocess, sys, time

# name, file, what stands there, what stands there instead
MUTATIONS = [
    ("journal-without-fsync", "Sources/Platform/Durable/Journal.swift",
     "                try file.synchronize()\n", ""),
    ("replace-without-fsync", "Sources/Platform/Durable/Disk.swift",
     "        try file.write(bytes)\n        try file.synchronize()\n", "        try file.write(bytes)\n"),
    ("replace-without-directory-fsync", "Sources/Platform/Durable/Disk.swift",
     "        try rename(fresh, to: name)\n        try synchronizeDirectory()\n", "        try rename(fresh, to: name)\n"),
    ("claim-not-durable", "Sources/Queue/UploadQueue.swift",
     "        package func item() async throws -> Item {\n            try await commit?.wait()\n",
     "        package func item() async throws -> Item {\n"),
    ("add-not-durable", "Sources/Queue/UploadQueue.swift",
     "        try await commit?.wait()\n        return admission\n", "        return admission\n"),
    ("library-without-fsync", "Sources/Catalog/Library/Schema.swift",
     "PRAGMA synchronous = FULL;", "PRAGMA synchronous = OFF;"),
    ("no-recovery-of-identifying", "Sources/Catalog/Library/Schema.swift",
     "WHERE state = \\(asset: .identifying);", "WHERE state = -1;"),
    ("thumbnail-without-fsync", "Sources/Sync/Between/ThumbnailCache.swift",
     "        try file.synchronize()\n", ""),
    ("walk-trusts-a-disk-that-left", "Sources/Sync/1-Scan/Scanner.swift",
     "guard try await isUnchanged(root, since: before, survey.places) else {", "guard true else {"),
    ("an-empty-root-is-believed", "Sources/Sync/1-Scan/RootState.swift",
     "if hadFiles, state.isEmpty {", "if hadFiles, state.isEmpty, false {"),
    ("another-disk-is-believed", "Sources/Sync/1-Scan/RootState.swift",
     "if isKnown == false { return .other(root, at: path) }", ""),
    ("foreign-objects-are-replaced", "Sources/Sync/5-Upload/Sender.swift",
     "guard let receipt, let info = try await info(item.objectKey) else { return false }",
     "guard let receipt, let info = try await info(item.objectKey) else { return true }"),
    ("changed-sources-are-sent", "Sources/Sync/5-Upload/Sender.swift",
     "guard item.describes(facts) else { return .failure(.withdrawn) }", ""),
    ("receipts-are-ignored", "Sources/Sync/5-Upload/Sender.swift",
     "if let receipt = known.receipt, receipt.proves(item) { return .ended(.verified) }", ""),
    ("lost-wake-up", "Sources/Queue/WakeEvent.swift",
     "if state.wakeups > wakeups || state.cancelled", "if state.cancelled"),
    ("no-reconciling-at-start", "Sources/Gallery/Agent+Running.swift",
     "        try await blocked.reconcile()\n", ""),
    ("no-requeue-at-start", "Sources/Gallery/Agent+Running.swift",
     "!open.contains(RootedPath(root: $0, path: $1))", "false && !open.contains(RootedPath(root: $0, path: $1))"),
    ("disk-that-returns-is-not-noticed", "Sources/Gallery/Agent+Sync.swift",
     "if wasAway { try await uploader.unblock(.away) }", "_ = wasAway"),
    ("withdrawn-bytes-are-forgotten", "Sources/Sync/5-Upload/Sender.swift",
     "if sending == .ended(.withdrawn) { try await remember(item) }", ""),
]


def run(command, folder, limit=None):
    try:
        return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=limit).stdout
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--copy", default="/tmp/gallery-sync-mutations")
    parser.add_argument("--build", default="swift build -c release --product gallery-sync-simulate")
    parser.add_argument("--program", default=".build/release/gallery-sync-simulate")
    parser.add_argument("names", nargs="*")
    order = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent.parent
    copy = pathlib.Path(order.copy)
    copy.mkdir(parents=True, exist_ok=True)
    subprocess.run(f"git archive HEAD | tar -x -m -C '{copy}'", shell=True, cwd=here, check=True)
    for name, file, before, after in MUTATIONS:
        if order.names and name not in order.names:
            continue
        path = copy / file
        whole = path.read_text()
        if before not in whole:
            print(f"{name}: the line to be changed is not in {file} any more", flush=True)
            continue
        path.write_text(whole.replace(before, after, 1))
        built = run(order.build, copy)
        if "omplete!" not in built:
            print(f"{name}: does not build\n{built[-2000:]}", flush=True)
        else:
            start = time.time()
            told = run(f"{order.program} --first --whole --seconds {order.seconds}", copy, order.seconds * 2)
            found = re.search(r"^seed (\d+), after [^:]*: (.*)$", told, re.M)
            said = f"seed {found[1]}, {time.time() - start:.0f} s: {found[2][:160]}" if found else "NOT FOUND: " + told[-160:].strip()
            print(f"{name}: {said}", flush=True)
        path.write_text(whole)


if __name__ == "__main__":
    sys.exit(main())
