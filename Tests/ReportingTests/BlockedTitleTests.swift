import Queue
import Supabase
import TestSupport
import Testing
import Uploading

@testable import Reporting

/// What keeps items waiting has a title and a step of its own, by its reason and the code behind it.
@Suite struct BlockedTitleTests {
    @Test(
        arguments: [
            Fact("a reason alone", ("offline", nil), "No connection"),
            Fact("a code that says more", ("offline", .http(540)), "Project paused"),
            Fact("a code that says no more", ("offline", .network(.lost)), "No connection"),
            Fact("the plan, not our budget", ("budget", .http(402)), "Plan used up"),
            Fact("its disk", ("budget", .http(507)), "No room at the destination"),
            Fact("our budget", ("budget", .limit(.budget)), "Storage budget used up"),
            Fact("a proxy's limit", ("tooLarge", .limit(.proxy)), "Too large for the proxy"),
            Fact("the bucket's", ("tooLarge", .limit(.storage)), "Too large for the bucket"),
            Fact("a policy", ("signIn", .storage(.accessDenied)), "No permission"),
            Fact("a sign-in", ("signIn", .auth(.refused)), "Not signed in"),
            Fact("a word of another version", ("comet", nil), "comet"), Fact("nothing", ("", nil), ""),
        ] as [Fact<(reason: String, code: FailureCode?), String>])
    func aCauseHasItsTitle(_ fact: Fact<(reason: String, code: FailureCode?), String>) {
        #expect(BlockedTitle.of(fact.input.reason, code: fact.input.code) == fact.output)
    }

    /// Every code that is told apart has a step, and every step ends.
    @Test(arguments: NextStep.special.keys.sorted { $0.text < $1.text })
    func aCodeThatIsToldApartHasItsStep(code: FailureCode) {
        let step = NextStep.after(blocked: "offline", code: code)
        #expect(step == NextStep.special[code] && step.hasSuffix("."))
        #expect(step != NextStep.after(blocked: "offline"))
    }

    @Test(arguments: [
        Item.Blocked.offline, .budget, .paused, .signIn, .bucket, .tooLarge, .metered, .away,
    ])
    func everyReasonHasATitleAndAStep(reason: Item.Blocked) {
        #expect(BlockedTitle.of(reason.rawValue) != reason.rawValue)
        #expect(NextStep.after(blocked: reason.rawValue) != NextStep.after(blocked: "comet"))
    }

    /// The row with the longest beginning of a code decides.
    @Test(arguments: [
        Fact("an errno of its own", "file.EACCES", "Let this user read the file"),
        Fact("any other errno", "file.ENXIO", "Make the file readable"), Fact("one alone", "file.", "Make the file"),
        Fact("a class of codes", "storage.DatabaseTimeout", "Nothing at first"),
        Fact("a status of its own", "http.507", "Make room at the destination"),
        Fact("any of its hundred", "http.599", "Nothing at first"),
        Fact("not its beginning", "http.50", "Nothing at first"),
        Fact("a code that only begins alike", "storage.KeyAlreadyExistsElsewhere", "The name is taken"),
        Fact("one of a later version", "moon.full", "See \"gallery-sync why FILE\""),
        Fact("none", "", "See \"gallery-sync why"),
    ])
    func theLongestBeginningDecides(_ fact: Fact<String, String>) {
        #expect(NextStep.after(code: fact.input).hasPrefix(fact.output))
    }

    /// What a run is stopped for between two pieces, and how that upload ends.
    @Test(arguments: Restraint.allCases)
    func aRestraintIsToldAndEndsAPieceAsItIsMeant(restraint: Restraint) {
        #expect(restraint.words.first?.isLowercase == true && !restraint.words.hasSuffix("."))
        #expect(restraint.next.first?.isUppercase == true && restraint.next.hasSuffix("."))
        guard case .blocked(let reason, let failure) = restraint.outcome else {
            // Nothing is counted against the item, which is due once the computer lets it go.
            #expect(restraint.outcome == .interrupted && restraint != .metered)
            return
        }
        #expect(restraint == .metered && reason == .metered && failure.retryable)
    }
}
