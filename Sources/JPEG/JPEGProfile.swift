import Facts

extension UnsafeBufferPointer<UInt8> {
    /// The ICC profile of a JPEG, which may lie in several segments (ICC.1:2022, B.4); `nil` without one.
    var jpegProfile: [UInt8]? {
        let mark = Array("ICC_PROFILE\0".utf8)
        let parts = JPEGSegments(self).filter {
            $0.marker == 0xE2 && $0.content.count > 14 && self[$0.content].starts(with: mark)
        }
        guard !parts.isEmpty else { return nil }
        let ordered = parts.sorted { self[$0.content.lowerBound + 12] < self[$1.content.lowerBound + 12] }
        return ordered.flatMap { self[$0.content].dropFirst(14) }
    }
}
