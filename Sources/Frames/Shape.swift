package import MediaModel

/// The shape of a picture as it is stored and as it is shown.
package struct Shape: Hashable {
    /// Two sides, in pixels.
    package struct Size: Hashable {
        /// From left to right.
        package var width: Int
        /// From top to bottom.
        package var height: Int
    }

    /// Stored pixels, already square.
    package let stored: Size
    /// How the stored picture is turned to be shown.
    package let orientation: Orientation

    /// - Parameter pixelAspect: Width of a stored pixel over its height; the stored width is multiplied by it.
    package init(width: Int, height: Int, pixelAspect: Double, orientation: Orientation) {
        stored = Size(width: max(1, Int((Double(width) * pixelAspect).rounded())), height: height)
        self.orientation = orientation
    }

    private init(stored: Size, orientation: Orientation) {
        self.stored = stored
        self.orientation = orientation
    }

    /// Pixels of the longer side.
    package var longSide: Int { max(stored.width, stored.height) }

    /// The size after turning, in pixels.
    package var shown: Size {
        orientation.swapsSides ? Size(width: stored.height, height: stored.width) : stored
    }

    /// The same shape with a longer side of `longSide` at most, never enlarged, never thinner than a pixel.
    package func fitted(into longSide: Int) -> Shape {
        let long = self.longSide
        guard long > longSide, longSide > 0 else { return self }
        func scaled(_ side: Int) -> Int {
            max(1, Int((Double(side) * Double(longSide) / Double(long)).rounded()))
        }
        let size = Size(width: scaled(stored.width), height: scaled(stored.height))
        return Shape(stored: size, orientation: orientation)
    }
}
