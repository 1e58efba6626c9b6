import Testing

@testable import Reconciling

@Suite struct LeftoverFateTests {
    /// One object that an attempt left, and its fate.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: LeftoverFile
        var isProvenElsewhere = false
        var isPictureOfNothing = false
        let fate: LeftoverFate
    }

    @Test(arguments: [
        Row(testDescription: "the only copy of a deleted file stays", file: .gone, fate: .adopted),
        Row(testDescription: "a second copy goes", file: .gone, isProvenElsewhere: true, fate: .deleted),
        Row(testDescription: "a picture of nothing goes", file: .gone, isPictureOfNothing: true, fate: .deleted),
        Row(testDescription: "what was proven there is sent again", file: .stored, fate: .replaced),
        Row(testDescription: "a file's place is not cleared", file: .stored, isProvenElsewhere: true, fate: .replaced),
        Row(testDescription: "a file that waits settles it", file: .other, isProvenElsewhere: true, fate: .left),
    ])
    func itsFate(_ row: Row) {
        let fate = LeftoverFate(
            row.file, isProvenElsewhere: row.isProvenElsewhere, isPictureOfNothing: row.isPictureOfNothing)
        #expect(fate == row.fate)
    }
}
