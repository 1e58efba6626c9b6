package import Platform

extension Refusal {
    /// That nothing can be kept at `place`; `nil` where another place is not what helps.
    ///
    /// A disk that is full, broken, away or only read is told as what it is.
    ///
    /// - Parameter elsewhere: How another place is named, such as `with --data`.
    package init?(keepingNothingAt place: FilePath, _ error: SystemError, elsewhere: String) {
        guard error.isMissing || error.isPresent || error.isDenied || error.isUnusableName else { return nil }
        let right = error.isDenied ? "Let this user write there, or name another place" : "Name another place"
        self.init(.needsHuman("\(place.display) cannot be written: \(error.reason). \(right) \(elsewhere)"))
    }
}
