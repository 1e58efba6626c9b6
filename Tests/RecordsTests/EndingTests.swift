import Glibc
import Platform
import Records
import Roots
import Testing

@Suite struct EndingTests {
    private static let away = RootAbsence("/media/usb is not there")
    private static let replaced = RootAbsence("Another disk is at /media/usb. Is it a new one?", needsHuman: true)

    struct Row: CustomTestStringConvertible, Sendable {
        let ending: Ending
        let kind: Ending.Kind
        var isOver = false
        var isRefusal = false
        let sentence: String
        var testDescription: String { "\(ending)" }
    }

    @Test(arguments: [
        Row(ending: .done, kind: .done, isOver: true, sentence: ""),
        Row(ending: .someFailed(1), kind: .someFailed, isOver: true, sentence: "1 file could not be stored"),
        Row(ending: .someFailed(2), kind: .someFailed, isOver: true, sentence: "2 files could not be stored"),
        Row(ending: .someUnlisted(1), kind: .someFailed, isOver: true, sentence: "1 folder could not be listed"),
        Row(
            ending: .someDifferent(1), kind: .someFailed, isOver: true,
            sentence: #"1 of what was stored is not as stored: see "gallery-sync status""#),
        Row(
            ending: .someTooLarge(1, "The bucket takes 50 MB"), kind: .someFailed,
            sentence: #"1 file waits: The bucket takes 50 MB. Raise that limit, then run "gallery-sync sync""#),
        Row(
            ending: .someTooLarge(3, "The bucket takes 50 MB"), kind: .someFailed,
            sentence: #"3 files wait: The bucket takes 50 MB. Raise that limit, then run "gallery-sync sync""#),
        Row(
            ending: .held(1), kind: .someFailed, isOver: true,
            sentence: #"1 changed file is held: see "gallery-sync status""#),
        Row(
            ending: .held(51), kind: .someFailed, isOver: true,
            sentence: #"51 changed files are held: see "gallery-sync status""#),
        Row(ending: .temporary("No network."), kind: .temporary, sentence: "No network."),
        Row(ending: .absent("No disk."), kind: .temporary, sentence: "No disk."),
        Row(ending: .notPermitted("Sign in."), kind: .notPermitted, isRefusal: true, sentence: "Sign in."),
        Row(ending: .full("It is full."), kind: .full, sentence: "It is full."),
        Row(ending: .usage("Not so."), kind: .usage, isRefusal: true, sentence: "Not so."),
        Row(ending: .refused("No such job."), kind: .someFailed, isRefusal: true, sentence: "No such job."),
        Row(ending: .needsHuman("Look."), kind: .needsHuman, isRefusal: true, sentence: "Look."),
        Row(
            ending: .interrupted(2), kind: .interrupted,
            sentence: "Stopped by Ctrl-C. What was done is kept; the same command goes on with the rest"),
        Row(
            ending: .interrupted(15), kind: .interrupted,
            sentence: "Stopped by another program. What was done is kept; the same command goes on with the rest"),
        Row(
            ending: .interrupted(1), kind: .interrupted,
            sentence:
                "Stopped, since the terminal was closed. What was done is kept; the same command goes on with the rest"),
    ])
    func whatAnEndingMeans(_ row: Row) {
        #expect(row.ending.kind == row.kind)
        #expect(row.ending.isOver == row.isOver)
        #expect(row.ending.isRefusal == row.isRefusal)
        #expect(row.ending.description == row.sentence)
        #expect(Refusal(row.ending).description == row.sentence)
    }

    private static let mount = #"What is stored of it stays. Mount its disk, then run "gallery-sync sync""#

    /// What is worse than an absent disk is told in its place.
    @Test(arguments: [
        (Ending.done, [RootAbsence](), Ending.done),
        (.done, [away], .absent("/media/usb is not there. \(mount)")),
        (.temporary("No network."), [away], .absent("/media/usb is not there. \(mount)")),
        (.done, [away, replaced], .needsHuman("Another disk is at /media/usb. Is it a new one?")),
        (.done, [RootAbsence("Is it there?")], .absent("Is it there? \(mount)")),
        (
            .done, [RootAbsence(SystemError(call: "open", code: EACCES, path: "/media/usb"))],
            .absent(
                "/media/usb: Permission denied. What is stored of it stays. Let this user list and enter it, then run "
                    + "\"gallery-sync sync\"")
        ),
        (
            .done, [RootAbsence("/a is not there", advice: "Create it", isNew: true)],
            .absent("/a is not there. Create it, then run \"gallery-sync sync\"")
        ),
        (.someFailed(1), [away], .someFailed(1)),
        (.full("It is full."), [replaced], .full("It is full.")),
        (.interrupted(2), [away], .interrupted(2)),
    ])
    func anAbsentDiskEndsWhatIsNotWorse(_ ending: Ending, _ absences: [RootAbsence], _ expected: Ending) {
        #expect(ending.unless(absences) == expected)
    }

    @Test(arguments: [
        (Ending.done, 0, Ending.done), (.done, 1, .someUnlisted(1)), (.someFailed(2), 1, .someFailed(2)),
        (.temporary("No network."), 3, .temporary("No network.")),
    ])
    func foldersThatCannotBeListedEndWhatWouldBeDone(_ ending: Ending, _ folders: Int, _ expected: Ending) {
        #expect(ending.unless(unlisted: folders) == expected)
    }

    @Test(
        arguments: [
            (Ending.done, [:], Ending.done), (.done, [.missing: 1, .damaged: 2], .someDifferent(3)),
            (.someUnlisted(1), [.missing: 1], .someUnlisted(1)), (.done, [.missing: 0], .done),
        ] as [(Ending, [Discrepancy.Kind: Int], Ending)])
    func whatAVerificationFoundEndsWhatWouldBeDone(
        _ ending: Ending, _ kinds: [Discrepancy.Kind: Int], _ expected: Ending
    ) {
        var found = DiscrepancyCounts()
        found.byKind = kinds
        #expect(ending.unless(found) == expected)
    }
}
