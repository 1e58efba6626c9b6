import Frames
import Glibc

/// The planes of all components, and the memory that they lie in.
struct CoefficientStore: ~Copyable {
    let planes: [CoefficientPlane]
    private let memory: UnsafeMutableRawPointer

    /// Planes without any coefficients yet; throws if there is no memory for them.
    ///
    /// - Parameter refined: For each component, whether a refinement asks which coefficients are zero.
    init(_ scan: JPEGScan, kept: CoefficientPlane.Kept, refined: [Bool]) throws(FFmpegError) {
        let blocks = scan.components.map { scan.units.across * $0.across * scan.units.down * $0.down }
        let ofMarks = zip(blocks, refined).map { $1 ? $0 * 8 : 0 }
        let ofCoefficients = blocks.map { $0 * kept.count * 2 }
        // Pages of the system are zero, and take no memory until something is written into them.
        memory = try FFmpegError.check(calloc((ofMarks + ofCoefficients).reduce(0, +), 1), "calloc")
        // The marks come first, because their addresses must be multiples of eight.
        var (marks, coefficients) = (memory, memory + ofMarks.reduce(0, +))
        var planes: [CoefficientPlane] = []
        for (index, component) in scan.components.enumerated() {
            planes.append(
                CoefficientPlane(
                    component, in: scan, kept: kept,
                    coefficients: coefficients.assumingMemoryBound(to: Int16.self),
                    marks: refined[index] ? marks.assumingMemoryBound(to: UInt64.self) : nil))
            marks += ofMarks[index]
            coefficients += ofCoefficients[index]
        }
        self.planes = planes
    }

    deinit { free(memory) }

    /// Writes all samples into the frame's planes; `false` if a quantizer is missing.
    borrowing func write(to frame: borrowing Frame, _ scan: JPEGScan) -> Bool {
        let waves = UnsafeMutablePointer<Float>.allocate(capacity: Block.size)
        defer { waves.deallocate() }
        for (index, target) in frame.planes.prefix(planes.count).enumerated() {
            guard let data = target.data, let quantizer = scan.quantizers[scan.components[index].quantizer] else {
                return false
            }
            planes[index].write(to: data, stride: target.stride, quantizer: quantizer, waves: waves)
        }
        return true
    }
}
