extension Int64 {
    /// Both sizes together, or as much as there are numbers: servers and sparse files can claim more.
    package func adding(size other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
