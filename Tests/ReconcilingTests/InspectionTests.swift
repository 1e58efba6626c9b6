import Foundation
import Queue
import Records
import Testing

@testable import Reconciling

/// What a comparison of the bucket keeps, and how it ends.
@Suite struct InspectionTests {
    private static func receipt(_ name: String) -> Receipt {
        let date = Date(timeIntervalSince1970: 1_790_000_000)
        return Receipt(
            destination: "here", key: ObjectKey(text: name), role: .original, item: ItemIdentifier(at: date),
            sha256: String(repeating: "a", count: 64), size: 9, objectID: nil, version: nil, eTag: nil, updatedAt: nil,
            verifiedAt: date, proof: .md5)
    }

    private static func inspection(_ problem: VerifyResult.Problem, count: Int) -> Inspection {
        var inspection = Inspection(sample: nil)
        for number in 0..<count { inspection.add(problem, of: receipt("\(number)"), isDeep: false, "words") }
        return inspection
    }

    /// A bucket that was emptied by mistake holds a million of them; all count, and some are named.
    @Test(arguments: [9_999, 10_000, 10_001])
    func beyondTheLimitProblemsAreCountedAndNotNamed(count: Int) {
        let inspection = Self.inspection(.missing, count: count)
        #expect(inspection.result.count(.missing) == count)
        #expect(inspection.result.findings.count == min(count, 10_000))
        #expect(inspection.discrepancies.count == min(count, 10_000))
        #expect(inspection.ending == .someFailed(count))
    }

    /// Leftovers and objects of other clients do no harm, so that they neither fail a verification nor stay in a report.
    @Test(arguments: [
        (VerifyResult.Problem.missing, true, true), (.different, true, true), (.unreadable, true, true),
        (.damaged, true, true), (.leftover, false, false), (.unknown, false, false),
    ])
    func onlyWhatIsNotStoredAsItShouldBeFails(problem: VerifyResult.Problem, fails: Bool, isRemembered: Bool) {
        let inspection = Self.inspection(problem, count: 1)
        #expect(inspection.ending == (fails ? .someFailed(1) : .done))
        #expect(inspection.discrepancies.isEmpty == !isRemembered)
    }

    @Test(arguments: [(0, 0, 3), (2, 0, 1), (2, 1, 0), (0, 3, 0)])
    func whatARepairNeitherQueuedNorDroppedStillNeedsAPerson(queued: Int, dropped: Int, left: Int) {
        var result = Self.inspection(.different, count: 3).result
        (result.queued, result.dropped) = (queued, dropped)
        #expect(result.endingOfRepair == (left == 0 ? .done : .someFailed(left)))
    }

    @Test(arguments: [
        (true, true, Mending.replace), (true, false, .sendAgain), (false, true, .drop), (false, false, .drop),
    ])
    func anObjectIsReplacedOnlyByAFileThatIsHereAndWhereItIsOurs(isHere: Bool, isOurs: Bool, mending: Mending) {
        #expect(Mending(isFileHere: isHere, isOurs: isOurs, isRotten: false) == mending)
        // What a download alone shows says nothing against the receipt of an object whose file is gone.
        #expect(Mending(isFileHere: isHere, isOurs: isOurs, isRotten: true) == (isHere ? mending : .keep))
    }
}
