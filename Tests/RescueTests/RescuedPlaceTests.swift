import Fixtures
import Foundation
import Platform
import Providers
import Testing

@testable import Rescue

/// The paths of rescued files.
@Suite struct RescuedPlaceTests {
    @Test(arguments: [
        (Jobs.generation("80e7-1"), "fal/2026-11/80e7-1.mp4"),
        (Jobs.link(), "link/2026-11/\(Jobs.link().id.rawValue.dropFirst(5)).mp4"),
        (Jobs.row(), "video_jobs/2026-11/\(Jobs.row().id.rawValue.suffix(16)).mp4"),
        (Jobs.generation("models/veo/operations/g-1", at: .gemini), "gemini/2026-11/models-veo-operations-g-1-"),
        (Jobs.generation("../../etc/passwd"), "fal/2026-11/etc-passwd-"),
        (Jobs.generation(String(repeating: "x", count: 400)), "fal/2026-11/" + String(repeating: "x", count: 80) + "-"),
        (Jobs.with(Jobs.generation("a")) { $0.createdAt = Jobs.now - 30 * 86_400 }, "fal/2026-10/a.mp4"),
    ])
    func names(_ row: (job: Job, start: String)) {
        let path = RescuedPlace(row.job, 0).named(".mp4").display
        #expect(path.hasPrefix(row.start))
        if row.start.hasSuffix("-") { #expect(path.utf8.count == row.start.utf8.count + 12) }
        #expect(RescuedPlace(row.job, 0).part.display == path.dropLast(4) + ".part")
    }

    @Test(arguments: [
        (Jobs.link(), "clip.mp4", "link/2026-11/clip.mov"), (Jobs.link(), "clip.v2", "link/2026-11/clip.v2.mov"),
        (Jobs.link(), "Café am See.mp4", "link/2026-11/Café am See.mov"),
        (Jobs.link(), ".hidden", "link/2026-11/hidden.mov"), (Jobs.link(), "a/b", "link/2026-11/ab.mov"),
        (Jobs.link(), "a/\u{301}b", "link/2026-11/a\u{301}b.mov"), (Jobs.link(), "a\0b", "link/2026-11/ab.mov"),
        (Jobs.link(), String(repeating: "é", count: 80), "link/2026-11/" + String(repeating: "é", count: 50) + ".mov"),
        (Jobs.link(), "..", "link/2026-11/\(Jobs.link().id.rawValue.dropFirst(5)).mov"),
        (Jobs.generation("80e7"), "clip.mp4", "fal/2026-11/80e7.mov"),
    ])
    func aBareLinkKeepsTheNameThatTheServerSays(_ row: (job: Job, given: String, path: String)) {
        let place = RescuedPlace(row.job, 0, given: row.given)
        #expect(place.named(".mov").display.hasPrefix(row.path))
        #expect(place.named(".mov").components.count == 3, "it lies in the folder of its month")
    }

    @Test func theFilesOfAJobAreNumbered() {
        #expect(RescuedPlace(Jobs.generation("a"), 1).named(".mp4").display == "fal/2026-11/a-2.mp4")
    }

    /// A part that two files share would hold the bytes of both.
    @Test func noFileOfAJobHasThePlaceOfAnotherJob() {
        let ids = [
            "80e7", "80e7-1", "80e7-2", "80e7-10", "80e7-02", "80e7-2-2", "80e7-12", "80e7-100", "-2", "2", "80e7 2",
            "80e7-2 ",
        ]
        let places = ids.flatMap { id in (0..<120).map { RescuedPlace(Jobs.generation(id), $0).part } }
        #expect(Set(places).count == places.count)
    }

    @Test func namesThatHadToChangeStayDifferent() {
        let names = ["a/b", "a:b", "a b", "a-b", "ä", "ö", "", "..", ".", "-"].map(RescuedPlace.plain)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.hasPrefix(".") && !$0.contains("/") && !$0.isEmpty })
        #expect(RescuedPlace.plain("fal_80e7-1.x") == "fal_80e7-1.x")
    }
}
