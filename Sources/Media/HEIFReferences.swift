import Facts
import MediaModel

/// The references between the items of a HEIF file, each to one item only (ISO/IEC 14496-12, 8.11.12).
///
/// Photos of iOS 18 have metadata and auxiliary pictures that belong both to their picture and to the same picture as
/// a gain map changes it. libheif before 1.18 refuses such a file.
struct HEIFReferences {
    /// Where the bytes belong, in place of as many others.
    let offset: Int
    let bytes: [UInt8]

    /// Kinds of references of which libheif takes one target: what describes an item, or stands for it.
    private static let kinds: Set<String> = ["cdsc", "auxl", "thmb"]

    /// `nil` if no reference of these kinds has several targets.
    init?(shortening file: UnsafeBufferPointer<UInt8>) {
        let start = 12
        guard let meta = Self.boxes(file, 0..<file.count).first(where: { $0.name == "meta" })?.range,
            meta.count > start
        else { return nil }
        let children = Self.boxes(file, meta.dropFirst(start))
        let named = Dictionary(children.map { ($0.name, $0.range) }) { first, _ in first }
        guard children.last?.range.upperBound == meta.upperBound, named["hdlr"] != nil, let list = named["iref"],
            let primary = named["pitm"], let references = Self.references(file, list, primary)
        else { return nil }
        offset = meta.lowerBound + start
        // Nothing else in the file may move, because its items are found by their offsets; a handler's name may be longer.
        bytes = children.flatMap { child -> [UInt8] in
            switch child.name {
            case "iref" where child.range == list: return references
            case "hdlr" where child.range == named["hdlr"]:
                let rest = [UInt8](repeating: 0, count: list.count - references.count)
                return Self.box(child.name, Array(file[child.range].dropFirst(8)) + rest)
            default: return Array(file[child.range])
            }
        }
    }

    /// The box with all references, each to the primary item if it is among the targets, else to the first of them.
    private static func references(
        _ file: UnsafeBufferPointer<UInt8>, _ list: Range<Int>, _ primary: Range<Int>
    ) -> [UInt8]? {
        guard list.count > 12, primary.count >= 14 else { return nil }
        let width = file[list.lowerBound + 8] == 0 ? 2 : 4
        let shown = file[primary.dropFirst(12)].reduce(0) { $0 << 8 | Int($1) }
        var content = Array(file[list.dropFirst(8).prefix(4)])
        for entry in boxes(file, list.dropFirst(12)) {
            let bytes = Array(file[entry.range])
            let count = bytes.count >= 10 + width ? Int(bytes[8 + width]) << 8 | Int(bytes[9 + width]) : 0
            guard kinds.contains(entry.name), count > 1, bytes.count == 10 + width + count * width else {
                content += bytes
                continue
            }
            let targets = (0..<count).map { bytes[(10 + width + $0 * width)...].prefix(width) }
            let kept = targets.first { $0.reduce(0) { $0 << 8 | Int($1) } == shown } ?? targets[0]
            content += box(entry.name, bytes[8..<8 + width] + [0, 1] + kept)
        }
        let box = box("iref", content)
        return box.count < list.count ? box : nil
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let count = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(name.utf8) + content
    }

    /// The boxes in a part of the file, up to one that does not fit, or that is too long for four bytes.
    private static func boxes(
        _ file: UnsafeBufferPointer<UInt8>, _ part: Range<Int>
    ) -> [(name: String, range: Range<Int>)] {
        // A name of other bytes than letters would not be written back as it was; only known names are.
        Boxes(file, in: part).prefix { $0.header.length != nil && $0.header.headLength == 8 }.map {
            (String(decoding: file[$0.range].dropFirst(4).prefix(4), as: UTF8.self), $0.range)
        }
    }
}
