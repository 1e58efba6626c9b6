extension Int64 {
    /// The sum of both sizes, at most `Int64.max`, because servers and sparse files can claim more.
    package func adding(size other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
