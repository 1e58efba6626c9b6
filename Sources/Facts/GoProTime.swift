package import MediaModel

/// The time that the satellites tell a GoPro, from its telemetry (GoPro's GPMF: the records `GPSU`).
package enum GoProTime {
    /// Name, type (a time or text), length, and number of values.
    private static let records = [UInt8(ascii: "U"), UInt8(ascii: "c")].map { Array("GPSU".utf8) + [$0, 16, 0, 1] }

    /// The first time in UTC of a packet of telemetry; `nil` without one.
    package static func moment(in telemetry: [UInt8]) -> CivilTime? {
        let place = telemetry.withUnsafeBufferPointer { bytes in records.lazy.compactMap { bytes.place(of: $0) }.first }
        guard let place, place + 20 <= telemetry.count else { return nil }
        // `191118234514.000`, without a century.
        let digits = telemetry[place + 8..<place + 20].map { String(UnicodeScalar($0)) }
        let pairs = stride(from: 0, to: 12, by: 2).map { digits[$0] + digits[$0 + 1] }
        let day = pairs[0..<3].joined(separator: ":")
        return CivilTime(exif: "20\(day) \(pairs[3..<6].joined(separator: ":"))", offset: "Z")
    }
}
