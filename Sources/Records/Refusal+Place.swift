package import Platform

extension Refusal {
    /// Refuses a place where nothing can be kept; `nil` if naming another place would not help.
    ///
    /// The error of a full, broken, missing or read-only disk is better reported as it is.
    ///
    /// - Parameter elsewhere: How another place is named, such as `with --data`.
    package init?(keepingNothingAt place: FilePath, _ error: SystemError, elsewhere: String) {
        guard error.isMissing || error.isPresent || error.isDenied || error.isUnusableName else { return nil }
        let right = error.isDenied ? "Let this user write there, or name another place" : "Name another place"
        self.init(.needsHuman("\(place.display) cannot be written: \(error.reason). \(right) \(elsewhere)"))
    }
}
