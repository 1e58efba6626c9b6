extension AnswerClass {
    /// What an HTTP status means by itself, where no body says more; `nil` where it means nothing.
    ///
    /// Contract 2.3, and what gateways before any service answer: 402 and 540 are the hosted
    /// platform's, 507 is a disk's that is full, 511 a network's own sign-in page.
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
