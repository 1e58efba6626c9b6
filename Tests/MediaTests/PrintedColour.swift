/// What coated paper shows under four inks, by Neugebauer's equations as they are written: each combination of full
/// inks by its share of the paper.
enum PrintedColour {
    /// Red, green and blue by the inks of a combination: cyan, magenta, yellow, black.
    private static let combinations: [[Int]: [Double]] = [
        [0, 0, 0, 0]: [255, 255, 255], [1, 0, 0, 0]: [0, 156, 228], [0, 1, 0, 0]: [234, 23, 133],
        [0, 0, 1, 0]: [255, 240, 0], [1, 1, 0, 0]: [48, 36, 123], [1, 0, 1, 0]: [0, 143, 63],
        [0, 1, 1, 0]: [232, 31, 42], [1, 1, 1, 0]: [48, 39, 55], [0, 0, 0, 1]: [41, 35, 43],
        [1, 0, 0, 1]: [22, 31, 42], [0, 1, 0, 1]: [40, 24, 40], [0, 0, 1, 1]: [40, 35, 37],
        [1, 1, 0, 1]: [25, 25, 37], [1, 0, 1, 1]: [22, 26, 35], [0, 1, 1, 1]: [43, 27, 40],
        [1, 1, 1, 1]: [33, 33, 44],
    ]

    /// - Parameter inks: Shares of cyan, magenta, yellow and black, 0 to 1.
    static func of(_ inks: [Double]) -> [Double] {
        var sum = [0.0, 0, 0]
        for (combination, colour) in combinations {
            let share = zip(combination, inks).reduce(1) { $0 * ($1.0 == 1 ? $1.1 : 1 - $1.1) }
            for channel in 0..<3 { sum[channel] += share * colour[channel] }
        }
        return sum
    }
}
