import Browsing
import Catalog
import Configuration
import Gallery
import MediaModel
import Platform
import Queue
import Records
import Simulation

/// What must hold of files that belong together: a photo is dated by its notes and has its movie.
extension World {
    /// The date in an editor's notes, in seconds since 1970; `nil` if they have none.
    static func date(inNotes bytes: [UInt8]) -> Double? {
        let digits = bytes.filter { (0x30...0x39).contains($0) }
        return Double(String(decoding: digits, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// What a photo and a movie of that size state of the moment that both show.
    static func moment(ofSize size: Int) -> String { "moment \(size % 2)" }

    /// Photos that the timeline shows with another date or another movie than their files say.
    func relationProblems(_ library: Library) async throws -> [String] {
        guard history.theme == .dating else { return [] }
        let timeline = try await Timeline(at: life.value.locations().library)
        var problems: [String] = []
        let named = Dictionary(files.map { ($0.place, $0) }) { first, _ in first }
        for file in files where file.name.fileExtension.elementsEqual(".jpg".utf8) {
            let stem = FilePath(bytes: Array(file.place.bytes.dropLast(4)))
            let notes = [file.place, stem].compactMap { named[FilePath(bytes: $0.bytes + Array(".xmp".utf8))] }
            let movie = named[FilePath(bytes: stem.bytes + Array(".mov".utf8))]
            // What could not be read says nothing.
            guard ([file, movie].compactMap(\.self) + notes).allSatisfy({ isReadable($0.bytes) }),
                let place = try await library.fileRecord(root: file.root.root, path: file.name)?.asset.place,
                let shown = try await timeline.assets(at: [place]).first
            else { continue }
            let date = notes.lazy.compactMap { Self.date(inNotes: $0.bytes) }.first
            if shown.face.isDated != (date != nil) || date.map({ Int64($0) != shown.face.taken }) == true {
                problems.append(
                    "\(file.key) is shown at \(shown.face.taken), dated \(shown.face.isDated), and its notes say "
                        + (date.map { "\($0)" } ?? "nothing"))
            }
            let isPair = movie.map { Self.moment(ofSize: $0.bytes.count) == Self.moment(ofSize: file.bytes.count) }
            if (shown.motion != nil) != (isPair ?? false) {
                problems.append("\(file.key) is shown \(shown.motion == nil ? "without its" : "with a") movie")
            }
        }
        return problems
    }

    private func isReadable(_ bytes: [UInt8]) -> Bool { !undecodable.value.contains(SHA256.hash(bytes).hexadecimal) }
}
