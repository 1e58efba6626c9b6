extension Report {
    /// The limits on sending, as far as they are known.
    package struct Limits: Codable, Hashable, Sendable {
        /// Bytes of the largest file that the destination takes.
        let largestFile: Int64?
        /// Bytes that may be stored in all.
        let budget: Int64?
        /// Bytes of these that are free.
        let room: Int64?
        /// Bytes per second that are sent at most at this time of the day.
        let rate: Int?

        /// The limits; `nil` where there are none.
        package init?(largestFile: Int64?, budget: Int64?, room: Int64?, rate: Int?) {
            guard largestFile != nil || budget != nil || rate != nil else { return nil }
            (self.largestFile, self.budget, self.room, self.rate) = (largestFile, budget, room, rate)
        }
    }
}
