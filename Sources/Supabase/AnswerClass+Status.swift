extension AnswerClass {
    /// What an HTTP status means by itself, for answers whose body says no more; `nil` if it means nothing.
    ///
    /// Contract 2.3, and what gateways answer before any service: 402 and 540 come from the hosted platform, 507 from a
    /// server whose disk is full, 511 from a network that wants a sign-in of its own.
    package init?(status: Int) {
        switch status {
        case 402: self = .destinationClosed(.quota)
        case 507: self = .destinationClosed(.diskFull)
        case 540: self = .destinationClosed(.projectPaused)
        case 429, 503, 544: self = .retry(load: true)
        case 408, 425, 500, 502, 504, 511, 520...524: self = .retry(load: false)
        // A captive portal redirects every request to its sign-in page, until the user signed in to the network.
        case 302, 303, 307: self = .retry(load: false)
        case 401: self = .signIn
        default: return nil
        }
    }
}
