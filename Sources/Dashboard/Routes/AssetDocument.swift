import Browsing
import Catalog
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Roots
import Text

/// Everything about one asset, as the page shows it beside the picture; unknown members are left out.
struct AssetDocument: Encodable {
    let schema = "gallery-sync/asset/1"
    let id: String
    let name: String
    let root: String
    let path: String
    let size: Int64
    let taken: Int64
    let dated: Bool
    let modified: String
    let kind: String
    let type: String?
    let width: Int?
    let height: Int?
    let duration: Double?
    let camera: String?
    let codec: String?
    let framesPerSecond: Double?
    let state: String
    let kept: Bool
    let note: String?
    let reason: [String]
    let sha256: String?
    let key: String?
    let storedAt: String?
    let proof: String?
    let isHere: Bool
    let absence: String?
    let live: String?
    let motion: String?

    init(_ details: AssetDetails, reasons: [String], isHere: Bool, absence: String?) {
        let (shown, asset, facts) = (details.shown, details.record.asset, details.facts)
        let receipt = details.record.receipts.first { $0.role == .original }
        id = AssetIdentifier(shown.place).text
        name = shown.name
        (root, path, size) = (asset.root, asset.path.display, asset.size)
        (taken, dated) = (shown.face.taken, shown.face.isDated)
        modified = ISO8601.text(asset.modifiedAt)
        (kind, type) = (shown.face.kind.word, details.type?.rawValue)
        (width, height, duration) = (facts?.width, facts?.height, facts?.duration)
        (camera, codec, framesPerSecond) = (facts?.camera, facts?.codec, facts?.framesPerSecond)
        (state, note, reason) = (shown.standing.word, shown.sentence, reasons)
        kept = shown.isKept
        sha256 = asset.sha256
        (key, proof) = (receipt?.key.text, receipt?.proof.rawValue)
        storedAt = receipt.map { ISO8601.text($0.verifiedAt, digits: 0) }
        (self.isHere, self.absence) = (isHere, absence)
        live = shown.motion?.word
        if case .movie(let name) = shown.motion { motion = FilePath(bytes: name).display } else { motion = nil }
    }
}

extension TimelineAsset.Motion {
    /// The page's word for it; in a `pair`, actions apply to both files.
    var word: String {
        switch self {
        case .movie: "pair"
        case .clip: "clip"
        }
    }
}
