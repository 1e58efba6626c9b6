import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog
@testable import Tables

/// What the end of a reading, of an item and of an object makes of an asset, whatever became of it before.
@Suite struct AssetTransitionTests {
    private static let states = Asset.State.allCases
    private static let failure = Item.Failure(code: .file("EIO"), message: "Input/output error", retryable: true)
    private static let item = Shelf.item("a.jpg")

    /// A file in `state`, with its receipt or without.
    private func shelf(_ state: Asset.State, hasReceipt: Bool = false) async throws -> Shelf {
        let shelf = try await Shelf()
        if hasReceipt {
            try await shelf.store(Self.item)
        } else {
            try await shelf.library.see(Self.item, below: shelf.root)
        }
        try await shelf.library.mark("a.jpg", as: state)
        return shelf
    }

    // MARK: Readings

    @Test(arguments: states)
    func aReadingThatEndedWellLeadsOnWhatIsUnderWay(_ state: Asset.State) async throws {
        for next in [Asset.State.queued, .stored, .indexed, .held] {
            let shelf = try await shelf(state)
            let asset = try await shelf.asset("a.jpg")
            try await shelf.library.settle(
                asset, as: .identified(sha256: Shelf.hash("new"), type: "image/png", next: next, note: "odd"))
            let isUnderWay = [.seen, .identifying, .queued].contains(state)
            let record = try #require(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.asset.state == (isUnderWay ? next : state))
            #expect(record.asset.sha256 == (isUnderWay ? Shelf.hash("new") : Self.item.sha256))
            #expect(record.note == (isUnderWay ? "odd" : nil))
        }
    }

    @Test(arguments: states)
    func aReadingThatEndedOtherwiseIsNotedUnlessTheFileIsToBeLeftAlone(_ state: Asset.State) async throws {
        let readings: [(Reading, Asset.State)] = [
            (.unreadable(Self.failure), .unreadable), (.ignored(reason: "no media"), .ignored), (.changed, .seen),
        ]
        for (reading, next) in readings {
            let shelf = try await shelf(state)
            try await shelf.library.settle(try await shelf.asset("a.jpg"), as: reading)
            let isKept = [.excluded, .held, .gone, .remoteOnly].contains(state)
            let record = try #require(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.asset.state == (isKept ? state : next), "\(reading)")
            let message =
                switch reading {
                case .unreadable: Self.failure.message
                case .ignored(let reason): reason
                case .identified, .changed: nil as String?
                }
            #expect(record.message == (isKept ? nil : message))
            #expect(record.code == (next == .unreadable && !isKept ? Self.failure.code : nil))
        }
    }

    /// Another size or time is another file, which a later scan has noted.
    @Test(arguments: [(8, 0.0), (7, 1.0), (7, -1.0), (0, 0.0)] as [(Int64, Double)])
    func aReadingOfWhatWasThereBeforeCountsForNothing(_ size: Int64, _ seconds: Double) async throws {
        let shelf = try await Shelf()
        try await shelf.see("a.jpg", size: size, after: seconds)
        let former = try await shelf.asset("a.jpg")
        try await shelf.see("a.jpg")
        let readings: [Reading] = [
            .unreadable(Self.failure), .ignored(reason: "no media"),
            .identified(sha256: Shelf.hash("old"), type: "image/jpeg", next: .queued, note: nil),
        ]
        for reading in readings {
            try await shelf.library.settle(former, as: reading)
            let asset = try await shelf.asset("a.jpg")
            #expect(asset.state == .seen)
            #expect(asset.sha256 == nil)
        }
    }

    // MARK: Items

    @Test(arguments: states)
    func theEndOfAnItemConcernsWhatWaitsForIt(_ state: Asset.State) async throws {
        for next in [Asset.State.stored, .failed] {
            let shelf = try await shelf(state)
            if next == .failed {
                try await shelf.library.settle(failed: Items.with(Self.item) { $0.lastError = Items.tooLarge })
            } else {
                try await shelf.library.settle(stored: Self.item)
            }
            let waits = [.queued, .failed, .unreadable].contains(state)
            let record = try #require(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.asset.state == (waits ? next : state))
            #expect(record.code == (waits && next == .failed ? Items.tooLarge.code : nil))
        }
    }

    /// The next scan tries to read it again, as the report says; what the server refuses, and what never reads the same
    /// twice, it does not.
    @Test(arguments: [
        (FailureCode.file("EACCES"), Asset.State.unreadable), (.file("EIO"), .unreadable), (.unsteady, .failed),
        (.verify(.hash), .failed), (.http(500), .failed),
    ])
    func aFileThatCouldNotBeReadToBeSentIsUnreadable(_ code: FailureCode, _ next: Asset.State) async throws {
        let shelf = try await shelf(.queued)
        let failure = Item.Failure(code: code, message: "no", retryable: false)
        try await shelf.library.settle(failed: Items.with(Self.item) { $0.lastError = failure })
        let record = try #require(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg"))
        #expect(record.asset.state == next)
        #expect(record.code == code)
    }

    /// Of a picture, and of a file that was never seen, an item's end says nothing.
    @Test(arguments: [Shelf.item("a.jpg", role: .thumbnail(512)), Shelf.item("b.jpg"), Shelf.item("sub/a.jpg")])
    func theEndOfAnotherItemIsNoneOfThisFiles(_ item: Item) async throws {
        let shelf = try await shelf(.queued)
        try await shelf.library.settle(failed: item)
        try await shelf.library.waitAgain(item)
        try await shelf.library.sendBack(item)
        #expect(try await shelf.state("a.jpg") == .queued)
    }

    @Test(arguments: states)
    func whatFailedWaitsAgainAndWhatWaitsIsReadAgain(_ state: Asset.State) async throws {
        let hasFailed = state == .failed || state == .unreadable
        let again = try await shelf(state)
        try await again.library.waitAgain(Self.item)
        #expect(try await again.state("a.jpg") == (hasFailed ? .queued : state))
        let other = try await shelf(state)
        try await other.library.waitAgain(Shelf.item("a.jpg", content: "other"))
        #expect(try await other.state("a.jpg") == (hasFailed ? .seen : state))
        let back = try await shelf(state)
        try await back.library.sendBack(Self.item)
        #expect(try await back.state("a.jpg") == (hasFailed || state == .queued ? .seen : state))
    }

    /// After a crash the queue may lack what the library believes to be there.
    @Test(arguments: states)
    func whatIsQueuedWithoutAnItemIsReadAgain(_ state: Asset.State) async throws {
        for (lost, isLost) in [(Asset.State.queued, true), (.queued, false), (.failed, true), (.failed, false)] {
            let shelf = try await shelf(state)
            try await shelf.library.requeue(lost) { root, path in
                #expect(root == "Pictures" && path == "a.jpg")
                return isLost
            }
            #expect(try await shelf.state("a.jpg") == (state == lost && isLost ? .seen : state))
        }
    }

    // MARK: Objects

    @Test(arguments: states)
    func aReceiptMarksWhatWasReadAndKnowsWhatIsGone(_ state: Asset.State) async throws {
        let shelf = try await shelf(state)
        try await shelf.library.record([(Shelf.receipt(Self.item), Self.item)])
        let next: [Asset.State: Asset.State] = [
            .identifying: .stored, .queued: .stored, .failed: .stored, .unreadable: .stored, .gone: .remoteOnly,
        ]
        #expect(try await shelf.state("a.jpg") == next[state] ?? state)
        #expect(try await shelf.library.counts().proofs == [.md5: 1])
    }

    /// The item was made of another version of the file: its new content gets an item of its own.
    @Test(arguments: [(8, 0.0), (7, 1.0)] as [(Int64, Double)])
    func aReceiptOfAFormerVersionLeavesTheFileAsItIs(_ size: Int64, _ seconds: Double) async throws {
        let shelf = try await Shelf()
        try await shelf.library.see(Self.item, below: shelf.root)
        try await shelf.see("a.jpg", size: size, after: seconds)
        try await shelf.library.mark("a.jpg", as: .queued)
        try await shelf.library.record([(Shelf.receipt(Self.item), Self.item)])
        #expect(try await shelf.state("a.jpg") == .queued)
        #expect(try await shelf.library.receipt(destination: Shelf.destination, key: Self.item.objectKey) != nil)
    }

    @Test(arguments: states)
    func withoutItsObjectAFileIsReadAgainAndOneThatIsGoneLeftNothing(_ state: Asset.State) async throws {
        for hasAnother in [false, true] {
            let shelf = try await shelf(state, hasReceipt: true)
            if hasAnother {
                let beside = Items.with(Self.item) { $0.objectKey = $0.objectKey.beside($0.sha256) }
                try await shelf.library.record([(Shelf.receipt(beside, at: "elsewhere"), beside)])
            }
            try await shelf.library.mark("a.jpg", as: state)
            try await shelf.library.forget(Shelf.receipt(Self.item))
            let next: Asset.State? =
                switch state {
                case .stored: .seen
                case .remoteOnly: hasAnother ? nil : .gone
                default: nil
                }
            #expect(try await shelf.state("a.jpg") == next ?? state, "hasAnother: \(hasAnother)")
            #expect(try await shelf.library.receipt(destination: Shelf.destination, key: Self.item.objectKey) == nil)
        }
    }

    /// A picture that is not there is owed again, unless its file is only in storage itself.
    @Test(arguments: states)
    func withoutItsObjectAPictureIsOwed(_ state: Asset.State) async throws {
        let picture = Shelf.item("a.jpg", role: .thumbnail(512))
        let shelf = try await shelf(state, hasReceipt: true)
        try await shelf.store(picture)
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.forget(Shelf.receipt(picture))
        #expect(try await shelf.state("a.jpg") == state)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (state == .remoteOnly ? .made : .wanted))
    }

    @Test(arguments: states)
    func whatHoldsOtherBytesIsSentAgainOrFails(_ state: Asset.State) async throws {
        for failure in [nil, Items.tooLarge] {
            let shelf = try await shelf(state, hasReceipt: true)
            try await shelf.library.disprove(Shelf.receipt(Self.item), failure: failure)
            let fails = failure != nil && [.seen, .queued, .stored, .failed].contains(state)
            let next: Asset.State = fails ? .failed : state == .stored ? .seen : state == .remoteOnly ? .gone : state
            let record = try #require(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.asset.state == next)
            #expect(record.code == (fails ? failure?.code : nil))
            // It is ours, whatever it holds, so that it is replaced.
            let attempts = try await shelf.attempts(Self.item)
            #expect(attempts.map(\.state) == [.there])
            #expect(
                try await shelf.library.wasAttempted(
                    destination: Shelf.destination, key: Self.item.objectKey, sha256: Self.item.sha256))
        }
    }

    @Test func aPictureThatHoldsOtherBytesAgainAndAgainIsGivenUp() async throws {
        let picture = Shelf.item("a.jpg", role: .thumbnail(512))
        let shelf = try await shelf(.stored, hasReceipt: true)
        try await shelf.store(picture)
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.disprove(Shelf.receipt(picture))
        #expect(try await shelf.library.pictures(of: "a.jpg") == .wanted)
        try await shelf.store(picture)
        try await shelf.library.disprove(Shelf.receipt(picture), failure: Items.tooLarge)
        #expect(try await shelf.library.pictures(of: "a.jpg") == .failed)
        #expect(try await shelf.state("a.jpg") == .stored)
    }

    // MARK: Orders

    @Test(arguments: states)
    func whatIsAskedForIsReadAndWhatIsBeingReadGoesOn(_ state: Asset.State) async throws {
        for order in [nil, Shelf.now + 5] {
            let shelf = try await shelf(state)
            try await shelf.library.request([try await shelf.asset("a.jpg")], orderedAt: order)
            let asset = try await shelf.asset("a.jpg")
            #expect(asset.state == (state == .identifying ? .identifying : .seen))
            #expect(asset.rank.isNamed)
            #expect(asset.forcedAt == order.map { FileTime($0) })
        }
    }

    /// A change that was approved stays so; one that was only suspected is judged anew.
    @Test(arguments: [nil, .suspect, .approved, .held] as [Asset.BrakeMark?])
    func whatIsAskedForIsApprovedOnlyIfItWas(_ mark: Asset.BrakeMark?) async throws {
        let shelf = try await shelf(.held)
        try await shelf.library.mark("a.jpg", as: .held, brake: mark)
        try await shelf.library.request([try await shelf.asset("a.jpg")])
        #expect(try await shelf.library.brake(of: "a.jpg") == (mark == .approved ? mark?.rawValue : nil))
    }

    @Test(arguments: states)
    func whatIsCancelledIsLeftOutUnlessItIsStored(_ state: Asset.State) async throws {
        let shelf = try await shelf(state)
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .wanted)
        try await shelf.library.exclude([try await shelf.asset("a.jpg")])
        #expect(try await shelf.state("a.jpg") == (state == .stored ? .stored : .excluded))
        #expect(try await shelf.library.pictures(of: "a.jpg") == (state == .stored ? .wanted : .unwanted))
    }

    @Test(arguments: states)
    func whatFailedForOneCauseIsReadAgainOnceThatIsMended(_ state: Asset.State) async throws {
        for code in [FailureCode.http(413), .http(403)] {
            let shelf = try await shelf(state)
            try await shelf.library.change("UPDATE assets SET code = 'http.413', message = 'too large'")
            try await shelf.library.readAgain(failedFor: code)
            #expect(try await shelf.state("a.jpg") == (state == .failed && code == .http(413) ? .seen : state))
        }
    }

    @Test(arguments: states)
    func aCrashStartsReadingAnew(_ state: Asset.State) async throws {
        let shelf = try await shelf(state)
        for pictures in [Asset.Pictures.unwanted, .wanted, .made, .failed, .lost] {
            let place = try await shelf.asset("a.jpg").place
            try await shelf.library.change(
                "UPDATE assets SET thumbnails = ? WHERE directory = ?", .integer(pictures.rawValue),
                .integer(place.directory))
            if try await shelf.library.number(Schema.interruptedQuery) != nil {
                try await shelf.library.recover()
            }
            #expect(try await shelf.state("a.jpg") == (state == .identifying ? .seen : state))
            #expect(try await shelf.library.pictures(of: "a.jpg") == (pictures == .lost ? .wanted : pictures))
        }
    }

    // MARK: Pictures

    private static let pictures: [Asset.Pictures] = [.unwanted, .wanted, .made, .failed, .lost]

    /// What was lost while others were being made is still to be made.
    @Test(arguments: pictures, pictures)
    func whatBecameOfPictures(_ before: Asset.Pictures, _ now: Asset.Pictures) async throws {
        let shelf = try await shelf(.stored)
        let place = try await shelf.asset("a.jpg").place
        try await shelf.library.change("UPDATE assets SET thumbnails = ?", .integer(before.rawValue))
        try await shelf.library.setPictures(of: place, to: now)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (before == .lost && now == .made ? .wanted : now))
    }

    /// A write that failed has taken back that they are to be made; what was found out since stays.
    @Test(arguments: pictures, [true, false])
    func whatIsReadIsToHavePicturesWhereThatWasLost(_ before: Asset.Pictures, _ areDue: Bool) async throws {
        let shelf = try await shelf(.identifying)
        try await shelf.library.change("UPDATE assets SET thumbnails = ?", .integer(before.rawValue))
        try await shelf.library.settle(
            try await shelf.asset("a.jpg"),
            as: .identified(
                sha256: Shelf.hash("new"), type: "image/jpeg", next: .queued, note: nil, arePicturesDue: areDue))
        #expect(try await shelf.state("a.jpg") == .queued)
        // That none could be made of what the file held before says nothing about this.
        let isNoted = ![.unwanted, .failed].contains(before)
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isNoted ? before : areDue ? .wanted : .unwanted))
    }

    /// A file that the user has left out meanwhile, or that is gone, has none made.
    @Test(arguments: [Asset.State.excluded, .gone, .remoteOnly])
    func whatIsNotToBeSentHasNoPicturesMade(_ state: Asset.State) async throws {
        let shelf = try await shelf(state)
        try await shelf.library.change("UPDATE assets SET thumbnails = ?", .integer(Asset.Pictures.unwanted.rawValue))
        try await shelf.library.settle(
            try await shelf.asset("a.jpg"),
            as: .identified(
                sha256: Shelf.hash("new"), type: "image/jpeg", next: .queued, note: nil, arePicturesDue: true))
        #expect(try await shelf.library.pictures(of: "a.jpg") == .unwanted)
    }

    /// Why there were none holds until they are made.
    @Test(
        arguments: [
            (.failed, "new", "new"), (.failed, nil, "old"), (.wanted, nil, "old"), (.made, nil, nil),
            (.made, "new", "new"),
        ] as [(Asset.Pictures, String?, String?)])
    func aNoteHoldsUntilPicturesAreMade(_ pictures: Asset.Pictures, _ note: String?, _ after: String?) async throws {
        let shelf = try await shelf(.stored)
        let place = try await shelf.asset("a.jpg").place
        try await shelf.library.setPictures(of: place, to: .failed, note: "old")
        try await shelf.library.setPictures(of: place, to: pictures, note: note)
        #expect(try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg")?.note == after)
    }

    @Test(arguments: states, pictures)
    func aLostPictureIsOwedWhereTheFileHasAny(_ state: Asset.State, _ before: Asset.Pictures) async throws {
        let shelf = try await shelf(state)
        try await shelf.library.change("UPDATE assets SET thumbnails = ?", .integer(before.rawValue))
        try await shelf.library.losePictures(of: [Shelf.item("a.jpg", role: .thumbnail(512))])
        let mayHaveAny = [.seen, .identifying, .queued, .stored, .failed, .unreadable].contains(state)
        let next: Asset.Pictures =
            switch before {
            case .wanted, .lost: .lost
            case .made: .wanted
            case .unwanted, .failed: before
            }
        #expect(try await shelf.library.pictures(of: "a.jpg") == (mayHaveAny ? next : before))
        // An original is no picture.
        try await shelf.library.change("UPDATE assets SET thumbnails = ?", .integer(before.rawValue))
        try await shelf.library.losePictures(of: [Self.item])
        #expect(try await shelf.library.pictures(of: "a.jpg") == before)
    }
}

extension Library {
    /// What a start does after a crash.
    fileprivate func recover() throws { try database.execute(Schema.recovery) }
}
