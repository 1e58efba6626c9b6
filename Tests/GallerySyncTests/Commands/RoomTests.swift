import Configuration
import Diagnosis
import Records
import SetUp
import TestSupport
import Testing

/// What the set-up says of the room at a destination, and how it ends with words of its own.
@Suite struct RoomTests {
    struct Place: Sendable {
        var url: String?
        var isLocal = false
        var budget: StorageAllowance?
    }

    @Test(arguments: [
        Fact(
            "this computer", Place(isLocal: true),
            Finding.doubtful("room", "This computer's own disk. Not protected against loss of this disk.")),
        Fact(
            "this computer, with a budget", Place(isLocal: true, budget: .bytes(5)),
            .doubtful("room", "This computer's own disk. Not protected against loss of this disk.")),
        Fact(
            "a plan that was named", Place(url: "https://abc.supabase.co", budget: .bytes(90_000_000_000)),
            .fine("room", "At most 90 GB are stored there.")),
        Fact(
            "one without a limit", Place(url: "https://abc.supabase.co", budget: .unlimited),
            .fine("room", "nothing limits it")),
        Fact(
            "a plan that is not known", Place(url: "https://abc.supabase.co"),
            .doubtful(
                "room", "At most 900 MB are stored there until destination.storageBudget says what the plan allows.")),
        Fact(
            "a server at home", Place(url: "http://nas:8000"),
            .fine("room", "a server of your own; nothing limits it but its disk")),
        Fact(
            "a server at home, with a budget", Place(url: "http://nas:8000", budget: .bytes(1_000)),
            .fine("room", "At most 1 kB are stored there.")),
        Fact("none yet", Place(), .fine("room", "a server of your own; nothing limits it but its disk")),
    ])
    func theRoomIsSaid(_ row: Fact<Place, Finding>) {
        var destination = Settings().destination
        (destination.url, destination.local) = (row.input.url, row.input.isLocal)
        destination.storageBudget = row.input.budget
        #expect(Finding.room(destination) == row.output)
    }

    /// Whether it makes sense to try again is the destination's word, also in a sentence of ours.
    @Test(arguments: [
        (Ending.temporary("a"), Ending.temporary("b")), (.notPermitted("a"), .notPermitted("b")),
        (.full("a"), .full("b")), (.needsHuman("a"), .needsHuman("b")), (.usage("a"), .needsHuman("b")),
        (.done, .needsHuman("b")), (.interrupted(2), .needsHuman("b")),
    ])
    func anEndWithOtherWordsIsTheSameEnd(_ ending: Ending, _ said: Ending) {
        #expect(ending.saying("b") == said)
    }
}
