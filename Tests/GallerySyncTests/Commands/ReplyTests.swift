import Output
import Records
import TestSupport
import Testing

@testable import GallerySync

/// What commands print of an agent's replies, whatever names and figures are in them.
@Suite struct ReplyTests {
    struct Reply: Sendable {
        let line: String
        let name: String
        let reply: String
        var ending = #"{"done":{}}"#
    }

    struct Print: Sendable {
        let code: ExitCode
        let results: String
        var notes = ""

        init(_ code: ExitCode, _ results: String, notes: String = "") {
            (self.code, self.results, self.notes) = (code, results, notes)
        }

        init(_ results: String, notes: String = "") { self.init(.success, results, notes: notes) }
    }

    static func object(
        _ path: String, _ size: Int, role: String = "original", leftover: Bool = false, aside: String? = nil
    ) -> String {
        #"{"path":"\#(path)","key":"\#(aside ?? "k")","role":"\#(role)","size":\#(size),"#
            + #""isLeftover":\#(leftover),"isSetAside":\#(aside != nil)}"#
    }

    static func prune(_ line: String, _ objects: [String], kept: String = "", deleted: Bool = false) -> Reply {
        let list = objects.joined(separator: ",")
        return Reply(
            line: line, name: "PruneOrder", reply: #"{"objects":[\#(list)],"kept":[\#(kept)],"isDeleted":\#(deleted)}"#)
    }

    static let kept = #"{"path":"Pictures/c\u001b.jpg","key":"k","reason":"it is another object now"}"#

    @Test(arguments: [
        Fact("nothing", prune("prune", []), Print("No file is only in storage.\n")),
        Fact(
            "nothing but what stays", prune("prune", [], kept: kept),
            Print(
                "Nothing else is only in storage.\n", notes: "Pictures/c·.jpg (k): kept, it is another object now\n")),
        Fact(
            "two files", prune("prune", [object("Pictures/a.jpg", 999), object("Pictures/b.jpg", 1_000)]),
            Print(
                "Pictures/a.jpg  999 B\nPictures/b.jpg  1 kB\n"
                    + "2 objects, 2 kB only in storage; \"gallery-sync prune --delete\" deletes what is listed.\n")),
        Fact(
            "a picture, and what was left over",
            prune(
                "prune", [object("a", 1, role: "thumbnail-512"), object("a", 1, role: "thumbnail-256", leftover: true)]),
            Print(
                "a (thumbnail-512)  1 B\na (thumbnail-256, leftover)  1 B\n"
                    + "2 objects, 2 B only in storage; \"gallery-sync prune --delete\" deletes what is listed.\n")),
        Fact(
            "what was set aside for another file of that name",
            prune("prune", [object("P/a.jpg", 1, leftover: true, aside: "P/a--12345678.jpg")]),
            Print(
                "P/a.jpg (set aside as a--12345678.jpg, leftover)  1 B\n"
                    + "1 object, 1 B only in storage; \"gallery-sync prune --delete\" deletes what is listed.\n")),
        Fact(
            "a name that steers a terminal", prune("prune", [object(#"a\u001b[2J\nb\u202e"#, 1)]),
            Print(
                "a·[2J·b·  1 B\n1 object, 1 B only in storage; \"gallery-sync prune --delete\" deletes what is listed.\n"
            )),
        Fact(
            "what would be deleted", prune("prune --delete --dry-run", [object("a", 1)]),
            Print("a  1 B\nWould delete 1 object, 1 B.\n")),
        Fact(
            "what was deleted, and what stayed",
            prune("prune --delete --yes", [object("a", 1)], kept: kept, deleted: true),
            Print("a  1 B\nDeleted 1 object, 1 B.\n", notes: "Pictures/c·.jpg (k): kept, it is another object now\n")),
        Fact("nothing to delete", prune("prune --delete --yes", [], deleted: true), Print("Nothing was deleted.\n")),
        Fact(
            "a refusal says nothing of objects",
            Reply(
                line: "prune", name: "PruneOrder", reply: #"{"objects":[],"kept":[],"isDeleted":false}"#,
                ending: #"{"needsHuman":{"_0":"No bucket there."}}"#),
            Print(.configuration, "", notes: "gallery-sync: No bucket there.\n")),
        Fact(
            "what was found before it ended",
            Reply(
                line: "prune", name: "PruneOrder",
                reply: #"{"objects":[\#(object("a", 1))],"kept":[],"isDeleted":false}"#,
                ending: #"{"temporary":{"_0":"Offline."}}"#),
            Print(
                .temporary,
                "a  1 B\n1 object, 1 B only in storage; \"gallery-sync prune --delete\" deletes what is listed.\n",
                notes: "gallery-sync: Offline.\n")),
    ])
    func whatIsOnlyInStorage(_ row: Fact<Reply, Print>) async throws { try await Self.expect(row) }

    static func verify(
        _ line: String, _ counts: String = "", findings: String = "", sampled: Int = 0, queued: Int = 0,
        dropped: Int = 0, unrepairable: Int = 0, proven: Int = 0, isComplete: Bool = true,
        ending: String = #"{"done":{}}"#
    ) -> Reply {
        Reply(
            line: line, name: "VerifyOrder",
            reply: #"{"checked":1200,"counts":{\#(counts)},"findings":[\#(findings)],"sampled":\#(sampled),"#
                + #""sampledBytes":0,"queued":\#(queued),"dropped":\#(dropped),"unrepairable":\#(unrepairable),"proven":\#(proven),"#
                + #""isComplete":\#(isComplete)}"#, ending: ending)
    }

    static let failed = #"{"someFailed":{"_0":1}}"#
    static let repairs = "\"gallery-sync verify --repair\" stores again what is missing or different.\n"

    @Test(arguments: [
        Fact("all is well", verify("verify"), Print("Checked 1,200 objects: all as stored.\n")),
        Fact(
            "the look ended early", verify("verify", isComplete: false),
            Print("Checked 1,200 objects: not all of them, since the look ended early.\n")),
        Fact(
            "one is missing",
            verify(
                "verify", #""missing":1"#, findings: #"{"problem":"missing","key":"a\u0007","message":"is gone"}"#,
                ending: failed),
            Print(.someFailed, "missing    a·: is gone\nChecked 1,200 objects: 1 missing.\n" + repairs)),
        Fact(
            "more findings than are listed",
            verify(
                "verify", #""different":3000,"unknown":1"#,
                findings: #"{"problem":"different","key":"a","message":"has 1 B"}"#, ending: failed),
            Print(
                .someFailed,
                "different  a: has 1 B\nand 3,000 more: see \"gallery-sync verify --json\"\nChecked 1,200 objects: 3,000 different, 1 unknown.\n"
                    + repairs)
        ),
        Fact(
            "what is unknown is not stored again", verify("verify", #""unknown":2"#, ending: failed),
            Print(.someFailed, "and 2 more: see \"gallery-sync verify --json\"\nChecked 1,200 objects: 2 unknown.\n")),
        Fact(
            "what was repaired",
            verify(
                "verify --repair", #""missing":1"#, queued: 1, dropped: 2, unrepairable: 1, proven: 3, ending: failed),
            Print(
                .someFailed,
                "and 1 more: see \"gallery-sync verify --json\"\nChecked 1,200 objects: 1 missing.\nQueued 1 object to be stored again.\n"
                    + "Proved 3 objects that had no receipt.\n"
                    + "Dropped 2 receipts: neither the file nor what was stored of it is there any more.\n"
                    + "1 object cannot be stored again, since the file is gone: what is there stays, and "
                    + "\"gallery-sync prune\" lists it.\n")),
    ])
    func whatIsAsItWasStored(_ row: Fact<Reply, Print>) async throws { try await Self.expect(row) }

    /// Another computer's objects are as many as its photos: a terminal shows what is found beside them.
    @Test func ofEachProblemAFewAreListed() async throws {
        func finding(_ problem: String, _ number: Int) -> String {
            #"{"problem":"\#(problem)","key":"\#(number)","message":"m"}"#
        }
        let findings = (1...22).map { finding("unknown", $0) } + (1...20).map { finding("missing", $0) }
        let list = findings.joined(separator: ",")
        let reply = Self.verify("verify", #""missing":20,"unknown":12000"#, findings: list, ending: Self.failed)
        let lines =
            (1...20).map { "unknown    \($0): m" } + (1...20).map { "missing    \($0): m" }
            + [
                "and 11,980 more: see \"gallery-sync verify --json\"",
                "Checked 1,200 objects: 20 missing, 12,000 unknown.",
            ]
        try await Self.expect(
            Fact("a few", reply, Print(.someFailed, lines.joined(separator: "\n") + "\n" + Self.repairs)))
        let agent = AgentDouble()
        agent.answer(reply.name, reply.reply, reply.ending)
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("verify --json") == .someFailed)
            #expect(try fixture.results.ranges(of: #""problem""#).count == findings.count)
        }
    }

    /// A sample is told before it is downloaded, and another one may miss what this one found.
    @Test func whatADownloadFindsIsRepairedByAllOfThem() async throws {
        let agent = AgentDouble()
        agent.answer("VerifyVolumeOrder", #"{"objects":60,"bytes":1500000000,"total":1200}"#)
        let found = Self.verify("", #""different":1"#, sampled: 60, ending: Self.failed)
        agent.answer(found.name, found.reply, found.ending)
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("verify --deep 5") == .someFailed)
            #expect(try fixture.notes == "Downloads 1.5 GB: 60 objects of 1,200.\n")
            #expect(
                try fixture.results
                    == "and 1 more: see \"gallery-sync verify --json\"\nChecked 1,200 objects (60 objects downloaded and hashed): 1 different.\n"
                    + "\"gallery-sync verify --deep 100 --repair\" stores again what is missing or different.\n")
            #expect(
                agent.asked.value.map { $0.split(separator: " ")[1] } == [
                    "/requests/VerifyVolumeOrder", "/requests/VerifyOrder",
                ])
        }
    }

    static func run(again: Int) -> String {
        #"{"tally":{"new":0,"changed":0,"again":\#(again),"found":0,"moved":0,"thumbnails":0,"rescued":0,"#
            + #""failed":0,"bytes":3000},"time":[2,0]}"#
    }

    static func plan(_ files: Int, missing: Int = 0, examples: String = "") -> String {
        #"{"files":\#(files),"bytes":3000,"examples":[\#(examples)],"missingObjects":\#(missing)}"#
    }

    @Test(arguments: [
        Fact(
            "one file",
            Reply(line: "reupload --dry-run", name: "ReuploadPlanOrder", reply: plan(1, examples: #""a\u001b.jpg""#)),
            Print("Would look at 1 file, 3 kB again.\n  a·.jpg\n")),
        Fact(
            "what storage has lost",
            Reply(line: "reupload --missing --dry-run", name: "ReuploadPlanOrder", reply: plan(1_234, missing: 3)),
            Print("Would look at 1,234 files, 3 kB (3 objects are missing) again.\n")),
        Fact(
            "nothing", Reply(line: "reupload", name: "ReuploadPlanOrder", reply: plan(0)),
            Print("", notes: "Nothing to send again.\n")),
        Fact(
            "a refusal",
            Reply(
                line: "reupload", name: "ReuploadPlanOrder", reply: plan(0),
                ending: #"{"needsHuman":{"_0":"No bucket there."}}"#),
            Print("", notes: "Nothing to send again.\n")),
    ])
    func whatWouldBeSentAgain(_ row: Fact<Reply, Print>) async throws { try await Self.expect(row) }

    /// A path alone means all below it; a selector holds below a path as well.
    @Test(arguments: [
        ("", Selection.Which.failed), ("Pictures", .all), ("Pictures --failed", .failed),
        ("Pictures --missing", .missing), ("Pictures --changed", .changed), ("Pictures --all", .all),
        ("Pictures --code http.413", .failed), ("--all", .all),
    ])
    func whatIsSelectedIsWhatIsAskedFor(_ words: String, _ which: Selection.Which) async throws {
        let agent = AgentDouble()
        agent.answer("ReuploadPlanOrder", Self.plan(0))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("reupload \(words) --dry-run") == .success)
            let orders = agent.asked.value.filter { $0.contains("ReuploadPlanOrder") }
            #expect(orders.count == 1 && orders[0].contains(#""which":"\#(which.rawValue)""#), "\(orders)")
        }
    }

    /// A program reads only the document: why there is no link is in it.
    @Test func whyThereIsNoLinkIsInTheDocument() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            var fixture = fixture
            let rest = "--state-dir state --set thumbnails.enabled=false --set scan.settle=0s"
            #expect(await fixture.run("sync Pictures --local -q \(rest)") == .success)
            fixture.environment["GALLERY_SYNC_KEY"] = "k"
            let line = "link Pictures/a.jpg --json --set destination.url=http://127.0.0.1:9 \(rest)"
            #expect(await fixture.run(line) == .configuration)
            let document = try fixture.results
            #expect(document.contains("Pictures/a.jpg: it is stored in local media. Run"), "\(document)")
        }
    }

    @Test func nothingToSendAgainIsADocumentToo() async throws {
        let agent = AgentDouble()
        agent.answer("ReuploadPlanOrder", Self.plan(0))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("reupload --json") == .success)
            #expect(try fixture.results.contains("\"gallery-sync/reupload-plan/1\""))
        }
    }

    @Test(arguments: [
        ("0", "Nothing of it waits to be sent: nothing was cancelled.\n"),
        ("2", "Cancelled 2 files; \"gallery-sync reupload FILE\" brings them back.\n"),
    ])
    func cancellingSaysWhatItDid(_ count: String, _ sentence: String) async throws {
        let agent = AgentDouble()
        agent.answer("CancelOrder", count)
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("queue cancel /") == .success)
            #expect(try fixture.results + fixture.notes == sentence)
        }
    }

    /// Nothing is done before the answer, and only a yes is one.
    @Test(arguments: [
        ("reupload --all", "y", true), ("reupload --all", "YES", true), ("reupload --all", "n", false),
        ("reupload --all", "", false), ("reupload --all", "yep", false), ("prune --delete", "yes", true),
        ("prune --delete", "no", false), ("prune --delete", "", false),
    ])
    func aPersonIsAskedFirst(_ line: String, _ answer: String, isDone: Bool) async throws {
        let agent = AgentDouble()
        agent.answer("ReuploadPlanOrder", Self.plan(2))
        agent.answer("ReuploadOrder", Self.run(again: 2))
        let objects = (1...21).map { Self.object("Pictures/\($0).jpg", 1) }
        let prune = Self.prune(line, objects)
        agent.answer(prune.name, prune.reply)
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            var fixture = fixture
            fixture.answers = [answer]
            #expect(await fixture.run(line + " -q") == (isDone ? .success : .interrupted))
            let notes = try fixture.notes
            #expect(notes.hasSuffix("Nothing was done.\n") == !isDone)
            if line.hasPrefix("prune") {
                #expect(
                    notes.contains(
                        "Pictures/20.jpg  1 B\n  and 1 more\nDelete 21 objects, 21 B from storage for good? [y/N] "))
            } else {
                #expect(notes.contains("This looks at 2 files, 3 kB again:\nGo on? [y/N] "))
            }
            let orders = agent.asked.value.filter { $0.contains("ReuploadOrder") || $0.contains(#""isDeleting":true"#) }
            #expect(orders.count == (isDone ? 1 : 0))
        }
    }

    /// Where nothing can be asked, what deletes must be meant.
    @Test func withoutATerminalDeletingNeedsAYes() async throws {
        let agent = AgentDouble()
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("prune --delete") == .usage)
            #expect(try fixture.notes.contains("\"prune --delete\" deletes for good: add --yes."))
            #expect(agent.asked.value.isEmpty)
        }
    }

    private static func expect(_ row: Fact<Reply, Print>) async throws {
        let agent = AgentDouble()
        agent.answer(row.input.name, row.input.reply, row.input.ending)
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run(row.input.line) == row.output.code)
            #expect(try fixture.results == row.output.results)
            #expect(try fixture.notes == row.output.notes)
        }
    }
}
