import Testing

@testable import Reconciling

/// What a person reads of objects whose files are gone.
@Suite struct PruneResultTests {
    private static func result(_ paths: [String], isDeleted: Bool = false, forgotten: String? = nil) -> PruneResult {
        var result = PruneResult()
        result.objects = paths.map { PruneResult.Object(path: $0, key: $0, role: "original", size: 1_500) }
        (result.isDeleted, result.forgotten) = (isDeleted, forgotten)
        return result
    }

    @Test(arguments: [
        (result([]), "No file is only in storage."),
        (result(["a"]), "Delete 1 object, 1.5 kB from storage for good?"),
        (result([], isDeleted: true), "Nothing was deleted."),
        (result(["a", "b"], isDeleted: true), "Deleted 2 objects, 3 kB."),
        (result(["a"], isDeleted: true, forgotten: "Old"), "Deleted 1 object, 1.5 kB. The root Old is forgotten."),
        (result([], isDeleted: true, forgotten: "Old"), "Nothing was deleted. The root Old is forgotten."),
    ])
    func sentence(result: PruneResult, words: String) { #expect(result.sentence == words) }

    /// A photo has its thumbnails beside it: the person asked for the photo.
    @Test func aFileIsNamedOnceWithTheNumberOfItsObjects() {
        #expect(Self.result(["P/b", "P/a", "P/b", "P/b"]).files == ["P/b (3 objects)", "P/a"])
    }

    /// A folder that is left out has thousands: they are counted, and stay as the user wants it.
    @Test func whatARuleLeavesOutIsSummedUpAndNoRefusal() {
        var result = Self.result([], isDeleted: true)
        result.kept = [("P/s/a", "t"), ("P/s/a", "a"), ("P/s/b", "b")].map {
            PruneResult.Kept(path: $0.0, key: $0.1, reason: "left out", rule: "your rule “s/”")
        }
        let lines = ["Kept: what is stored of 2 files left out now, as your rule “s/” says"]
        #expect(result.refusals == 0 && result.keptLines == lines)
        result.kept.insert(PruneResult.Kept(path: "P/c", key: "c", reason: "it is needed"), at: 1)
        #expect(result.refusals == 1 && result.keptLines == ["P/c (c): kept, it is needed"] + lines)
    }

    @Test func aNameFromOutsideIsPrintedSafely() {
        let kept = PruneResult.Kept(path: "P/a\u{1B}[31m", key: "k", reason: "it is needed")
        #expect(!kept.line.contains("\u{1B}") && kept.line.hasSuffix(" (k): kept, it is needed"))
        #expect(!Self.result(["P/a\u{1B}[31m"]).files[0].contains("\u{1B}"))
    }
}
