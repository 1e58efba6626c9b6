import JPEG

/// The size of a picture whose decoder can halve it, read before anything is decoded.
protocol ShrinkableHeader {
    /// Pixels.
    var width: Int { get }
    /// Pixels.
    var height: Int { get }
    /// The halvings that the decoder offers.
    var mostHalvings: Int { get }
}

extension ShrinkableHeader {
    /// How often the size can be halved while decoding and still be `margin` times the wanted one.
    ///
    /// - Parameter longSide: Pixels of the longer side of the largest picture requested.
    func halvings(for longSide: Int, margin: Double) -> Int {
        (0...mostHalvings).last { Double(max(width, height) >> $0) >= Double(longSide) * margin } ?? 0
    }
}

extension JPEGHeader: ShrinkableHeader {
    var mostHalvings: Int { 3 }
}
