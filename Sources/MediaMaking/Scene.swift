package import Frames
import MediaModel

/// A generated landscape: sky, sun, ridges, a lake, balls, and a flag that points to the right.
///
/// The same seed gives the same bytes on every machine. Sky and flag show whether a picture is upright and unmirrored.
package struct Scene: Sendable {
    private let seed: UInt64
    private let width: Int
    private let height: Int
    private let hasGrain: Bool
    /// The static part of the scene, as RGB bytes.
    private var land: [UInt8] = []

    /// - Parameter hasGrain: Whether to add a sensor's noise, which makes files as large as a camera's.
    package init(seed: UInt64, width: Int, height: Int, hasGrain: Bool = true) {
        self.seed = seed
        self.hasGrain = hasGrain
        self.width = width
        self.height = height
        land = drawn { paintLand(on: $0) }
    }

    /// The scene at this moment of a film.
    ///
    /// - Parameter time: 0 to 1 over the length of the film.
    /// - Parameter light: 0 is black, 1 is daylight.
    package func bitmap(time: Double = 0, light: Double = 1) -> Bitmap {
        let rgb = drawn { canvas in
            _ = canvas.pixels.update(fromContentsOf: land)
            paintThings(on: canvas, time: time)
            canvas.light(Int(light * 256), grain: hasGrain ? 8 : 0, seed: seed &+ UInt64(time * 1000))
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }

    private func drawn(_ draw: (Canvas) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 3) { pixels, count in
            count = width * height * 3
            let canvas = UnsafeMutableBufferPointer(rebasing: pixels[..<count])
            draw(Canvas(pixels: canvas, width: width, height: height))
        }
    }

    /// A number from 0 to 1 that depends on seed and `index` alone.
    private func chance(_ index: UInt64) -> Double {
        var mixed = (seed &+ index &* 0x9E37_79B9_7F4A_7C15) ^ 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ mixed >> 31) >> 11) / Double(1 << 53)
    }

    private func colour(_ index: UInt64, from low: Int = 40, to high: Int = 235) -> Colour {
        func channel(_ offset: UInt64) -> Int { low + Int(chance(index &+ offset) * Double(high - low)) }
        return Colour(red: channel(0), green: channel(1), blue: channel(2))
    }

    private func paintLand(on canvas: Canvas) {
        let zenith = Colour(red: 30 + Int(chance(1) * 60), green: 90 + Int(chance(2) * 60), blue: 200)
        let horizon = Colour(red: 250, green: 190 + Int(chance(3) * 50), blue: 150 + Int(chance(4) * 80))
        let near = colour(20, from: 15, to: 95)
        // The farther away, the more haze.
        let rock = [0.7, 0.4, 0].map { near.mixed(with: horizon.mixed(with: zenith, 0.5), $0) }
        let ridges = (0..<3).map { ridge(UInt64($0)) }
        let shore = height * 82 / 100
        for y in 0..<height {
            let down = Double(y) / Double(height)
            let sky = zenith.mixed(with: horizon, down)
            let lake = horizon.mixed(with: zenith, 0.5 + 0.25 * wave(down * down * 40))
            for x in 0..<width {
                if y >= shore {
                    canvas.set(x, y, lake)
                } else if let front = (0..<3).last(where: { y >= ridges[$0][x] }) {
                    let depth = (y - ridges[front][x]) * 60 / height
                    canvas.set(x, y, rock[front].darker(by: depth + canvas.texture(x, y, scale: front)))
                } else {
                    canvas.set(x, y, sky)
                }
            }
        }
    }

    /// For each column the first row of a mountain ridge.
    private func ridge(_ index: UInt64) -> [Int] {
        let base = 0.45 + 0.13 * Double(index)
        let phase = chance(10 + index) * 10
        let teeth = 3 + chance(13 + index) * 5
        return (0..<width).map { x in
            let at = Double(x) / Double(width)
            let rise = 0.10 * wave(at * teeth + phase) + 0.04 * wave(at * teeth * 3.7 + phase * 2)
            return Int((base - rise) * Double(height))
        }
    }

    private func paintThings(on canvas: Canvas, time: Double) {
        let sun = Colour(red: 255, green: 244, blue: 190)
        canvas.disc(
            x: 0.55 + 0.3 * chance(5) + 0.1 * time, y: 0.12 + 0.1 * chance(6), radius: 0.07, sun, isShaded: false)
        for ball in 0..<UInt64(3 + Int(chance(7) * 4)) {
            let bounce = 0.12 * abs(wave(time * 2 + chance(60 + ball)))
            canvas.disc(
                x: 0.08 + 0.84 * chance(40 + ball), y: 0.86 - bounce, radius: 0.04 + 0.05 * chance(50 + ball),
                colour(70 + 3 * ball, from: 60, to: 255), isShaded: true)
        }
        canvas.box(x: 0.10, y: 0.25, width: 0.012, height: 0.45, Colour(red: 70, green: 50, blue: 40))
        canvas.pennant(x: 0.112, y: 0.25, width: 0.16, height: 0.14, Colour(red: 220, green: 30, blue: 40))
    }

    /// A smooth wave from -1 to 1 with period 1; not a sine, because mathematics libraries may round differently.
    private func wave(_ at: Double) -> Double {
        let phase = at - at.rounded(.down)
        let half = phase < 0.5 ? phase * 2 : phase * 2 - 1
        let bow = 4 * half * (1 - half)
        return phase < 0.5 ? bow : -bow
    }
}

/// Red, green and blue, 0 to 255.
struct Colour: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    /// - Parameter share: The share of `other`, 0 to 1.
    func mixed(with other: Colour, _ share: Double) -> Colour {
        func mix(_ from: Int, _ to: Int) -> Int { from + Int(Double(to - from) * share) }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    func darker(by amount: Int) -> Colour {
        Colour(red: red - amount, green: green - amount, blue: blue - amount)
    }
}
