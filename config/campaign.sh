#!/usr/bin/env bash
# What is too long for every change: an hour of bad luck for the programs, the simulator, and the readers of foreign bytes.
#
#     config/campaign.sh [--minutes 60] [--seed N]
#
# Of the minutes, six tenths are for real processes (.ci/campaign.py), two for the simulator, one for failing every call of
# files and memory (.ci/fail-calls.py), and one for the fuzzers (.ci/fuzz.sh); what has to be built is built besides. Exit code
# 1 where something was found.
set -euo pipefail
cd "$(dirname "$0")/.."
source config/build.sh

minutes=60
seed=$((RANDOM * 32768 + RANDOM))
while [ $# -gt 0 ]; do
    case $1 in
        --minutes) minutes=$2 ;;
        --seed) seed=$2 ;;
        *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
    esac
    shift 2
done
tenth=$((minutes * 6))
status=0
step() { printf '\n%s  %s\n' "$(date +%H:%M:%S)" "$1"; }

step "Building the programs (seed $seed)"
build_programs
swift build "${release[@]}" --quiet --product gallery-sync-simulate >&2
programs=$(programs_folder)

step "Real processes"
.ci/campaign.py "$programs" --minutes "$(awk "BEGIN { print $minutes * 0.6 }")" --seed "$seed" || status=1

step "The simulator"
"$programs/gallery-sync-simulate" --seed "$seed" --seconds $((2 * tenth)) || status=1

step "Every call fails in turn"
# Swift's run time is a library of its own there, so that the allocations of C libraries can be told from its own.
swift build --quiet --product gallery-sync >&2
swift build --quiet --product gallery-sync-media >&2
.ci/fail-calls.py "$(swift build --show-bin-path)" --seconds "$(awk "BEGIN { print $tenth / 18 }")" || status=1

step "The readers of foreign bytes"
.ci/fuzz.sh --together "$tenth" || status=1

step "$([ $status -eq 0 ] && echo "Nothing was found" || echo "Something was found: see above") (seed $seed)"
exit $status
