extension UnsafeMutablePointer<UInt8> {
    /// Writes the light that `count` pixels of four inks reflect, by their profile; without one, the product of the
    /// light that each ink leaves.
    package func paintInks(
        _ count: Int, by transform: borrowing ColourTransform?, into target: UnsafeMutablePointer<UInt8>
    ) {
        switch transform {
        case .some(let transform): transform.apply(self, to: target, count: count)
        case nil:
            for pixel in 0..<count {
                let white = 255 - UInt32(self[pixel * 4 + 3])
                for channel in 0..<3 {
                    let light = (255 - UInt32(self[pixel * 4 + channel])) * white
                    target[pixel * 3 + channel] = UInt8((light + 127) / 255)
                }
            }
        }
    }
}
