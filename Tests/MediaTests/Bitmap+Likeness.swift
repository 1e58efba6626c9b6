import Foundation
import Media

@testable import Frames

/// A simple, slow reference implementation to compare thumbnails with.
extension Bitmap {
    /// A smaller copy, each pixel the mean of the area it stands for, parts of pixels counted in part.
    func averaged(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let columns = Self.shares(of: width, among: newWidth)
        let rows = Self.shares(of: height, among: newHeight)
        var result = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
        for (y, row) in rows.enumerated() {
            for (x, column) in columns.enumerated() {
                let mean = mean(row, column)
                for channel in 0..<3 { result[(y * newWidth + x) * 3 + channel] = UInt8(mean[channel].rounded()) }
            }
        }
        return Bitmap(width: newWidth, height: newHeight, rgb: result)
    }

    private func mean(_ rows: [Share], _ columns: [Share]) -> [Double] {
        var sums = [0.0, 0.0, 0.0]
        var total = 0.0
        for row in rows {
            for column in columns {
                let weight = row.weight * column.weight
                let at = (row.index * width + column.index) * 3
                for channel in 0..<3 { sums[channel] += weight * Double(rgb[at + channel]) }
                total += weight
            }
        }
        return sums.map { $0 / total }
    }

    private struct Share {
        let index: Int
        let weight: Double
    }

    /// For each of `parts` equal pieces of a side, the pixels in it and how much of each.
    private static func shares(of side: Int, among parts: Int) -> [[Share]] {
        (0..<parts).map { part in
            let (from, to) = (Double(part * side) / Double(parts), Double((part + 1) * side) / Double(parts))
            return (Int(from)..<min(side, Int(to.rounded(.up)))).map { index in
                Share(index: index, weight: min(to, Double(index + 1)) - max(from, Double(index)))
            }
        }
    }

    /// A smaller copy by a Lanczos filter of three lobes in double precision, the widths of both sides in turn.
    func resampled(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let columns = Self.lanczos(from: width, to: newWidth)
        let rows = Self.lanczos(from: height, to: newHeight)
        var wide = [Double](repeating: 0, count: newWidth * height * 3)
        for y in 0..<height {
            for (x, taps) in columns.enumerated() {
                for (index, weight) in taps {
                    let from = (y * width + index) * 3
                    for channel in 0..<3 {
                        wide[(y * newWidth + x) * 3 + channel] += weight * Double(rgb[from + channel])
                    }
                }
            }
        }
        var result = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
        for (y, taps) in rows.enumerated() {
            for at in 0..<newWidth * 3 {
                let sum = taps.reduce(0) { $0 + $1.weight * wide[$1.index * newWidth * 3 + at] }
                result[y * newWidth * 3 + at] = UInt8(max(0, min(255, sum.rounded())))
            }
        }
        return Bitmap(width: newWidth, height: newHeight, rgb: result)
    }

    /// For each new pixel the old ones it is made of and their weights, which sum to 1; edges are repeated.
    private static func lanczos(from old: Int, to new: Int) -> [[(index: Int, weight: Double)]] {
        let step = Double(old) / Double(new)
        return (0..<new).map { pixel in
            let centre = (Double(pixel) + 0.5) * step - 0.5
            let taps = Int((centre - 3 * step).rounded(.up))...Int((centre + 3 * step).rounded(.down))
            let weights = taps.map { tap in
                let x = Double.pi * (Double(tap) - centre) / step
                return x == 0 ? 1 : 3 * sin(x) * sin(x / 3) / (x * x)
            }
            let total = weights.reduce(0, +)
            return zip(taps, weights).map { (min(old - 1, max(0, $0)), $1 / total) }
        }
    }

    /// How alike two pictures of one size look: 1 for the same, near 0 for unrelated ones.
    ///
    /// Mean structural similarity of brightness over windows of 8 × 8 pixels, 4 apart (Wang et al. 2004, with a
    /// flat window instead of a Gaussian one).
    func likeness(to other: Bitmap) -> Double {
        guard width == other.width, height == other.height, width >= 8, height >= 8 else { return 0 }
        let (mine, theirs) = (luma, other.luma)
        var (sum, count) = (0.0, 0)
        for top in stride(from: 0, through: height - 8, by: 4) {
            for left in stride(from: 0, through: width - 8, by: 4) {
                sum += similarity(mine, theirs, left: left, top: top)
                count += 1
            }
        }
        return sum / Double(count)
    }

    private func similarity(_ mine: [Int], _ theirs: [Int], left: Int, top: Int) -> Double {
        var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
        for y in top..<top + 8 {
            for x in left..<left + 8 {
                let (one, two) = (mine[y * width + x], theirs[y * width + x])
                a += one
                b += two
                aa += one * one
                bb += two * two
                ab += one * two
            }
        }
        let (meanA, meanB) = (Double(a) / 64, Double(b) / 64)
        let varianceA = Double(aa) / 64 - meanA * meanA
        let varianceB = Double(bb) / 64 - meanB * meanB
        let covariance = Double(ab) / 64 - meanA * meanB
        // (0.01 * 255)² and (0.03 * 255)², the paper's constants.
        let (c1, c2) = (6.5025, 58.5225)
        let structure = (2 * covariance + c2) / (varianceA + varianceB + c2)
        return (2 * meanA * meanB + c1) / (meanA * meanA + meanB * meanB + c1) * structure
    }

    private var luma: [Int] {
        stride(from: 0, to: rgb.count, by: 3).map { at in
            let red = 299 * Int(rgb[at])
            let green = 587 * Int(rgb[at + 1])
            let blue = 114 * Int(rgb[at + 2])
            return (red + green + blue) / 1000
        }
    }

    /// The mean distance of all channels, 0 to 255.
    func distance(to other: Bitmap) -> Double {
        let sum = zip(rgb, other.rgb).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(rgb.count)
    }

    /// One pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        Array(rgb[(y * width + x) * 3..<(y * width + x) * 3 + 3])
    }
}
