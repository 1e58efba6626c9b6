import Facts
import Frames

/// Decodes a progressive JPEG to a half, a quarter or an eighth of its size (ITU-T T.81, G).
///
/// Its scans bring all blocks a few coefficients or bits at a time, so that decoders keep every coefficient of the
/// picture until the last scan: 54 MB for 12 megapixels. This one keeps those that the smaller picture shows, and skips
/// scans that hold none of them, unless a later scan builds upon these.
struct ProgressiveDecoder {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let outline: ProgressiveOutline
    /// The frame's header and, while the file is read, the tables so far.
    private var headers = JPEGScan()
    private let kept: CoefficientPlane.Kept
    /// The scans, in order.
    private let scans: [ProgressiveScan]

    /// `nil` if the file is not progressive, has unusual colours, is too large, or is damaged.
    ///
    /// - Parameter halvings: Of the size, 1 to 3.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int) {
        guard (1...3).contains(halvings), let outline = ProgressiveOutline(bytes) else { return nil }
        (self.bytes, self.outline, kept) = (bytes, outline, CoefficientPlane.Kept(side: 8 >> halvings))
        var scans: [ProgressiveScan] = []
        for segment in outline.segments {
            let content = bytes[segment.content]
            switch segment.marker {
            case 0xC2:
                guard headers.readFrame(Array(content.prefix(64))), headers.width <= maxPixels / headers.height else {
                    return nil
                }
            case 0xDA:
                guard let scan = ProgressiveScan(content, of: headers.components) else { return nil }
                scans.append(scan)
            case 0xEE where JPEGScan.hasUnusualColours(content): return nil
            default: break
            }
        }
        self.scans = scans
    }

    /// For each scan whether it is needed, and for each component whether a refinement asks which of its coefficients
    /// are zero.
    private var plan: (needed: [Bool], refined: [Bool]) {
        // The coefficients of each component that the picture or a later scan needs.
        var wanted = [UInt64](repeating: kept.mask, count: headers.components.count)
        var refined = [Bool](repeating: false, count: headers.components.count)
        let needed = scans.reversed().map { scan in
            let isNeeded = scan.parts.contains { wanted[$0.component] & scan.mask != 0 }
            if isNeeded, scan.isRefinement, !scan.isOfMeans {
                for part in scan.parts {
                    wanted[part.component] |= scan.mask
                    refined[part.component] = true
                }
            }
            return isNeeded
        }
        return (needed.reversed(), refined)
    }

    /// The small picture; `nil` if the coded bits or the tables are damaged.
    func frame() throws(FFmpegError) -> Frame? {
        let plan = plan
        let store = try CoefficientStore(headers, kept: kept, refined: plan.refined)
        var headers = headers
        var number = 0
        for segment in outline.segments {
            guard segment.marker == 0xDA else {
                guard headers.readTables(segment.marker, bytes[segment.content]) else { return nil }
                continue
            }
            if plan.needed[number] {
                let bits = JPEGBits(bytes, from: segment.content.upperBound)
                guard Self.read(scans[number], bits, headers, into: store.planes) else { return nil }
            }
            number += 1
        }
        let frame = try headers.paddedFrame(side: kept.side)
        guard store.write(to: frame, headers) else { return nil }
        headers.trim(frame, side: kept.side)
        return frame
    }

    /// Reads one scan; `false` if it is damaged.
    private static func read(
        _ scan: ProgressiveScan, _ bits: JPEGBits, _ headers: JPEGScan, into planes: [CoefficientPlane]
    ) -> Bool {
        let interval = headers.restartInterval
        guard scan.isOfMeans else {
            let part = scan.parts[0]
            guard let codes = headers.acCodes[part.acCodes] else { return false }
            let plane = planes[part.component]
            var reader = BandReader(bits, codes, scan, plane.kept)
            return reader.read(into: plane, interval: interval)
        }
        guard var reader = MeanReader(bits, scan, headers, into: planes) else { return false }
        return reader.read(interval: interval)
    }
}
