package import FoundationEssentials
package import Platform
package import Queue

/// Which assets a re-upload is about; without a selector those that failed.
package struct Selection: Codable, Hashable, Sendable {
    /// Groups of assets by what became of them.
    package enum Which: String, Codable, CaseIterable, Hashable, Sendable {
        case failed, missing, changed, all
    }

    /// Which assets to take of those below `paths`.
    package var which = Which.failed
    /// Files and directories, absolute; empty for all roots.
    package var paths: [FilePath] = []
    /// Only those that failed with this code.
    package var code: FailureCode?
    /// Only those found or changed since.
    package var since: Date?
    /// Whether identical bytes are sent again.
    package var isForced = false

    /// Everything that failed, below all roots.
    package init() {}
}

extension Selection {
    /// The states of the assets that it may take.
    ///
    /// Assets that the user has left out are taken only if a path names them.
    package var states: [Asset.State] {
        switch which {
        case .failed: [.failed, .unreadable]
        case .missing: [.seen, .queued, .stored, .failed]
        case .changed: [.held]
        case .all:
            [.seen, .identifying, .queued, .stored, .failed, .unreadable, .indexed] + (paths.isEmpty ? [] : [.excluded])
        }
    }
}

extension FilePath: Codable {
    /// Reads base64 of the bytes.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Data(base64Encoded: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a path is base64"))
        }
        self.init(bytes: Array(bytes))
    }

    /// Writes base64 of the bytes, since a path need not be UTF-8.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}

/// What a re-upload would do, or did.
package struct SelectionResult: Codable, Hashable, Sendable {
    /// Assets selected.
    package var files = 0
    /// Bytes of those files.
    package var bytes: Int64 = 0
    /// The first few, with their root's name.
    package var examples: [String] = []
    /// Objects that were expected in the bucket and are not there.
    package var missingObjects = 0

    /// Nothing selected yet.
    package init() {}
}
