#!/usr/bin/env python3
"""Plays histories with a simulator that counts, and lists what of the engine none of them has reached.

    .ci/simulated-coverage.py [--seconds 600] [--jobs 2] [--scratch .build/simulated] [--program PATH] [MODULE ...]

Prints for each module how much was reached, of functions and of the regions between two branches; for the modules
that are named, also each line with a region that was not.
"""
import argparse, collections, json, os, pathlib, re, shutil, subprocess, sys

ENGINE = ["Audit", "Catalog", "Gallery", "ObjectStore", "Queue", "Records", "Rescue", "Restoring", "Roots", "Supabase", "Sync", "Uploading"]
TESTED = "swift build --enable-code-coverage --product gallery-sync-simulate --scratch-path"


def tool(name):
    """The toolchain's own: another LLVM on the path may not know the format of its profiles."""
    beside = pathlib.Path(os.path.realpath(shutil.which("swift"))).parent / name
    return beside if beside.exists() else name


def regions(program, profile):
    """Of each module below Sources and each file of it: the regions, and whether they were reached."""
    told = subprocess.run(
        [tool("llvm-cov"), "export", program, "-instr-profile", profile], capture_output=True, check=True).stdout
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for function in json.loads(told)["data"][0]["functions"]:
        path = re.search(r"/Sources/(\w+)/(.*)", function["filenames"][0])
        if not path:
            continue
        file = found[path[1]][path[2]]
        for number, (line, column, last, end, count, _, _, kind) in enumerate(function["regions"]):
            if kind:
                continue
            # The first region of a function is its body. One that is compiled twice is reached where either is.
            place = (line, column, last, end)
            known = file.get(place, (0, False))
            file[place] = (known[0] + count, known[1] or number == 0)
    return found


def share(values):
    return f"{100 * sum(1 for count in values if count) / max(len(values), 1):5.1f} % of {len(values)}"


def tell(found, named):
    for module in sorted(found):
        all = [value for file in found[module].values() for value in file.values()]
        print(f"{module}: {share([count for count, isBody in all if isBody])} functions, {share([count for count, _ in all])} regions")
    for module in named:
        for name, file in sorted(found[module].items()):
            lines = sorted({place[0] for place, (count, _) in file.items() if not count})
            source = pathlib.Path("Sources", module, name).read_text().splitlines() if lines else []
            for line in lines:
                print(f"{module}/{name}:{line}: {source[line - 1].strip()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scratch", default=".build/simulated")
    parser.add_argument("--program", help="one that is built with coverage, in place of building it")
    parser.add_argument("modules", nargs="*", default=ENGINE)
    order = parser.parse_args()
    os.chdir(pathlib.Path(__file__).resolve().parent.parent)
    if not order.program:
        subprocess.run(f"{TESTED} {order.scratch}", shell=True, check=True)
    program = order.program or f"{order.scratch}/debug/gallery-sync-simulate"
    folder = pathlib.Path(order.scratch)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.profraw"):
        old.unlink()
    played = subprocess.run(
        [program, "--seconds", str(order.seconds), "--jobs", str(order.jobs), "--whole"],
        env=os.environ | {"LLVM_PROFILE_FILE": f"{folder}/%p.profraw"})
    profile = folder / "simulated.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "-o", profile, *folder.glob("*.profraw")], check=True)
    tell(regions(program, profile), order.modules)
    return played.returncode


if __name__ == "__main__":
    sys.exit(main())
