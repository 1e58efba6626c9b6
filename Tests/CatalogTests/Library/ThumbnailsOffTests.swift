import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Testing

@testable import Catalog

/// Which files have pictures made once thumbnails are on again.
@Suite struct ThumbnailsOffTests {
    private static let roles = [Item.Role.thumbnail(512)]

    /// One file and what is known of it.
    private struct Known {
        let shelf: Shelf
        let asset: Asset

        init(_ state: Asset.State, _ pictures: Asset.Pictures, facts: MediaKind? = nil) async throws {
            shelf = try await Shelf()
            let item = Shelf.item("a.jpg")
            try await shelf.store(item)
            try await shelf.store(Shelf.item("a.jpg", role: .thumbnail(512)))
            asset = try await shelf.asset("a.jpg")
            if let facts {
                try await shelf.library.setFacts(MediaFacts(kind: facts, type: .jpeg), of: item.sha256, in: asset)
            }
            try await shelf.library.setPictures(of: asset.place, to: .unwanted)
            try await shelf.library.setPictures(of: asset.place, to: pictures)
            try await shelf.library.mark("a.jpg", as: state)
            try await shelf.library.doubtPictures()
        }

        var pictures: Asset.Pictures? {
            get async throws { try await shelf.library.pictures(of: "a.jpg") }
        }
    }

    /// Nothing was made of files that came while thumbnails were off; sound and an editor's notes want nothing more.
    @Test(arguments: Asset.State.allCases, [nil] + MediaKind.allCases)
    func aFileOfWhichNothingWasMadeIsFound(_ state: Asset.State, _ facts: MediaKind?) async throws {
        let known = try await Known(state, .unwanted, facts: facts)
        let wants = ![.audio, .sidecar].contains(facts)
        let isFound = wants && [.queued, .stored, .indexed].contains(state)
        #expect(try await known.shelf.library.picturesOwed(roles: Self.roles) == (wants && state == .stored ? 1 : 0))
        try await known.shelf.library.findOwedPictures(roles: Self.roles, destination: Shelf.destination)
        #expect(try await known.pictures == (isFound ? .wanted : .unwanted))
    }

    /// The next run with thumbnails looks at all files, whatever the sizes, because some may have come meanwhile.
    @Test func filesThatCameMeanwhileAreFoundOnce() async throws {
        let known = try await Known(.stored, .made)
        let library = known.shelf.library
        try await library.findOwedPictures(roles: Self.roles, destination: Shelf.destination)
        try await library.setPictures(of: known.asset.place, to: .unwanted)
        try await library.findOwedPictures(roles: Self.roles, destination: Shelf.destination)
        #expect(try await known.pictures == .unwanted)
        try await library.expectPictures(roles: [], destination: Shelf.destination)
        try await library.expectPictures(roles: Self.roles, destination: Shelf.destination)
        try await library.findOwedPictures(roles: Self.roles, destination: Shelf.destination)
        #expect(try await known.pictures == .wanted)
    }

    /// An earlier version did not find such files, and noted that it had looked at all.
    @Test func whatAnEarlierVersionLeftIsFound() async throws {
        let known = try await Known(.stored, .unwanted)
        try await known.shelf.library.setFact("pictures", to: "\(Shelf.destination) thumbnail-512")
        try await known.shelf.library.expectPictures(roles: Self.roles, destination: Shelf.destination)
        try await known.shelf.library.findOwedPictures(roles: Self.roles, destination: Shelf.destination)
        #expect(try await known.pictures == .wanted)
    }

    @Test(arguments: [Asset.Pictures.unwanted, .wanted, .made, .failed, .lost])
    func noPicturesAreOwedWithThumbnailsOff(_ pictures: Asset.Pictures) async throws {
        let known = try await Known(.stored, pictures)
        #expect(try await known.shelf.library.picturesOwed(roles: []) == 0)
        try await known.shelf.library.expectPictures(roles: [], destination: Shelf.destination)
        let isOwed = [.wanted, .lost].contains(pictures)
        #expect(try await known.pictures == (isOwed ? .unwanted : pictures))
    }
}
