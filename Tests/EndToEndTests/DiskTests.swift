import Platform
import Reporting
import TestSupport
import Testing

/// Disks that appear, disappear and are exchanged, as mounts in a namespace of the test's own.
@Suite(.enabled(if: Namespaces.canMount)) struct DiskTests {
    /// Makes 200 files, an hour old, that take seconds to be sent.
    private static let fill = """
        i=0
        while [ $i -lt 200 ]; do
            { printf 'photo %s' $i; head -c 4000 /dev/zero; } > "$GALLERY/$i.jpg"
            i=$((i+1))
        done
        touch -d '1 hour ago' "$GALLERY"/*
        """

    private static func script(_ fixture: ProgramFixture, _ text: String) -> String {
        "GALLERY='\(fixture.gallery.display)'\nS='\(fixture.state.display)'\n" + text
    }

    @Test func aDiskThatVanishesDuringASyncLosesNothing() async throws {
        try await ProgramFixture.local { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    mount -t tmpfs none "$GALLERY" || exit 99
                    \(Self.fill)
                    $AGENT sync "$GALLERY" $COMMON --limit-rate 100k &
                    agent=$!
                    until [ -n "$(find "$S/storage/objects" -mindepth 2 -type f 2>/dev/null)" ]; do
                        kill -0 $agent || exit 98
                        sleep 0.05
                    done
                    umount -l "$GALLERY"
                    wait $agent
                    """), mounts: true
            ).end()
            #expect(end.code == 5)
            #expect(end.notes.contains("\(fixture.gallery.display) is not mounted"))
            let report = try await fixture.status()
            #expect(report.assets.total == 200)
            #expect(report.assets.waiting > 0)
            #expect(report.assets.failed + report.assets.unreadable == 0)
            #expect(report.besides.gone + report.besides.remoteOnly == 0)
            #expect(report.roots.first?.paused != nil)
            #expect(try await fixture.run("status", "--check").code == 5)
        }
    }

    /// A disk that came up read-only after an error, a snapshot, a DVD; and one without a byte left, where a copy that is
    /// elsewhere may be all that helps.
    @Test(arguments: [
        (#"mount -o remount,ro "$S""#, true),
        // What changes something may find the little room that it needs there.
        (#"cat /dev/zero > "$S/fill" 2> /dev/null"#, false),
    ])
    func aSecondCopyThatCannotBeWrittenIsRead(closing: String, isReadOnly: Bool) async throws {
        let tree: FileTree = ["a.jpg": "one", "b": ["c.jpg": "two"]]
        try await ProgramFixture.local(tree) { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    mkdir -p "$S" "$HOME/t"; export TMPDIR="$HOME/t"
                    mount -t tmpfs -o size=20m none "$S" || exit 99
                    $AGENT sync "$GALLERY" $COMMON -q || exit 98
                    \(closing)
                    list() { find "$S" -printf '%p %s %T@ %C@\n' | sort; }
                    list > "$HOME/before"
                    for what in "restore --to $HOME/R" "restore --to $HOME/R --dry-run" "verify" "verify --deep 100" \
                        "prune" "status" "status --check" "why $GALLERY/a.jpg" "queue list" "jobs list"
                    do
                        $AGENT $what $COMMON || { echo "$what: $?"; exit 97; }
                    done
                    \(isReadOnly) || exit 0
                    for what in "verify --repair" "sync $GALLERY" "prune --delete --yes" "reupload"; do
                        $AGENT $what $COMMON; [ $? = 74 ] || { echo "$what"; exit 96; }
                    done
                    list | cmp - "$HOME/before" || exit 95
                    [ -z "$(ls "$TMPDIR")" ] || exit 94
                    """), mounts: true
            ).end()
            #expect(end.code == 0, "\(end.results) \(end.notes)")
            #expect(end.notes.contains("can only be read now, and nothing is written there"))
            #expect(end.notes.contains("a copy of it is looked at, and what is found is not remembered"))
            let words = "Read-only file system. Mount that disk for writing, then run this again."
            #expect(end.notes.contains(words) == isReadOnly)
            #expect(
                end.results.contains("Checked 4 objects (4 objects downloaded and hashed): all as stored.")
                    || end.results.contains("Checked 2 objects (2 objects downloaded and hashed): all as stored."))
            #expect(try FileTree(at: fixture.folder.appending("home/R/Pictures")) == tree)
        }
    }

    /// No picture can be written, so the first one says all.
    @Test func aDiskThatTakesNoThumbnailIsSaidOnce() async throws {
        try await ProgramFixture.local { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    for i in 1 2 3 4; do printf 'P6 2 1 255\\n123456' > "$GALLERY/$i.ppm"; done
                    mkdir -p "$HOME/t"
                    mount -t tmpfs -o ro none "$HOME/t" || exit 99
                    $AGENT thumbnail "$GALLERY" -o "$HOME/t" $COMMON
                    """), mounts: true
            ).end()
            #expect(end.code == 74, "\(end.notes)")
            let faults = end.notes.split(separator: "\n").filter { $0.contains("Read-only file system") }
            #expect(faults.count == 1, "\(end.notes)")
            let words = ".jpg: Read-only file system. Mount that disk for writing, then run this again."
            #expect(faults.first?.hasSuffix(words) == true, "\(end.notes)")
        }
    }

    @Test func anotherDiskAtTheSamePlaceWaitsForInit() async throws {
        try await ProgramFixture.local { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    fresh() {
                        mount -t tmpfs none "$GALLERY" || exit 99
                        echo "$1" > "$GALLERY/$1.jpg"
                        touch -d '1 hour ago' "$GALLERY/$1.jpg"
                    }
                    fresh first
                    $AGENT sync "$GALLERY" $COMMON || exit 97
                    umount "$GALLERY"
                    fresh second
                    $AGENT sync "$GALLERY" $COMMON
                    [ $? = 78 ] || exit 96
                    $AGENT init "$GALLERY" $COMMON || exit 95
                    $AGENT sync "$GALLERY" $COMMON
                    """), mounts: true
            ).end()
            #expect(end.code == 0, Comment(rawValue: end.notes))
            #expect(end.notes.contains("is not the disk that the root Pictures was on"))
            #expect(end.results.contains("is the new root Pictures-2"))
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.gone + report.besides.remoteOnly == 0)
            #expect(report.roots.map(\.name) == ["Pictures", "Pictures-2"])
        }
    }

    @Test func aDiskBelowARootThatIsNotMountedIsNotGone() async throws {
        try await ProgramFixture.local(["here.jpg": "here"]) { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    mkdir "$GALLERY/usb"
                    mount -t tmpfs none "$GALLERY/usb" || exit 99
                    echo there > "$GALLERY/usb/there.jpg"
                    touch -d '1 hour ago' "$GALLERY/here.jpg" "$GALLERY/usb/there.jpg"
                    $AGENT sync "$GALLERY" $COMMON || exit 97
                    umount "$GALLERY/usb"
                    $AGENT sync "$GALLERY" $COMMON
                    [ $? = 5 ] || exit 96
                    rmdir "$GALLERY/usb"
                    $AGENT sync "$GALLERY" $COMMON
                    """), mounts: true
            ).end()
            #expect(end.code == 5, Comment(rawValue: end.notes))
            #expect(end.notes.contains("\(fixture.gallery.display)/usb is not mounted"))
            let kept = try await fixture.status()
            #expect(kept.assets == Report.Assets(stored: 2))
            #expect(kept.besides.remoteOnly == 0)
            #expect(try await fixture.run("init", fixture.gallery.display).code == 0)
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(try await fixture.status().besides.remoteOnly == 1)
        }
    }

    @Test func aDiskMountedOverKnownFilesHidesThem() async throws {
        try await ProgramFixture.local(["sub": ["a.jpg": "a"]]) { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    touch -d '1 hour ago' "$GALLERY/sub/a.jpg"
                    $AGENT sync "$GALLERY" $COMMON || exit 97
                    mount -t tmpfs none "$GALLERY/sub" || exit 99
                    echo b > "$GALLERY/sub/b.jpg"
                    $AGENT sync "$GALLERY" $COMMON
                    """), mounts: true
            ).end()
            #expect(end.code == 78, Comment(rawValue: end.notes))
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(report.besides.remoteOnly == 0)
        }
    }

    @Test func ownStateThatIsMountedIntoARootIsLeftOut() async throws {
        try await ProgramFixture.local(["a.jpg": "a"]) { fixture in
            let end = try await fixture.unshared(
                Self.script(
                    fixture,
                    """
                    touch -d '1 hour ago' "$GALLERY/a.jpg"
                    mkdir -p "$GALLERY/copy" "$S/storage"
                    mount --bind "$S/storage" "$GALLERY/copy" || exit 99
                    for pass in 1 2 3; do $AGENT sync "$GALLERY" $COMMON || exit 97; done
                    """), mounts: true
            ).end()
            #expect(end.code == 0, Comment(rawValue: end.notes))
            #expect(try await fixture.status().assets == Report.Assets(stored: 1))
        }
    }
}

/// Cases that need no namespace.
@Suite struct LimitTests {
    @Test func fewOpenFilesAreEnough() async throws {
        try await ProgramFixture.local { fixture in
            for number in 0..<300 {
                try OpenFile(creating: fixture.gallery.appending("\(number).jpg")).append(Array("\(number)".utf8))
            }
            let end = try await fixture.shell(
                "ulimit -n 64; exec $AGENT sync '\(fixture.gallery.display)' $COMMON"
            ).end()
            #expect(end.code == 0, Comment(rawValue: end.notes))
            #expect(try await fixture.status().assets == Report.Assets(stored: 300))
        }
    }

    /// The same fixture with a state directory inside the gallery.
    private static func nested(_ fixture: ProgramFixture) -> ProgramFixture {
        var nested = fixture
        nested.common[1] = fixture.gallery.appending("backup").display
        return nested
    }

    @Test func aStateInsideARootDoesNotGrowIt() async throws {
        try await ProgramFixture.local(["a.jpg": "a", "b.jpg": "b"]) { fixture in
            let nested = Self.nested(fixture)
            for _ in 0..<3 {
                let end = try await nested.run("sync", nested.gallery.display)
                #expect(end.code == 0)
            }
            let report = try await nested.status()
            #expect(report.assets == Report.Assets(stored: 2))
        }
    }
}
