package import Queue
import Supabase

extension Circuit.Sign {
    /// What the end of an attempt tells about the destination.
    package init(_ outcome: UploadOutcome) {
        switch outcome {
        case .verified, .sent, .notStored, .moved: self = .fine
        case .interrupted, .withdrawn: self = .none
        // The failure was this computer's own disk.
        case .retry(let failure, _) where failure.code.hasPrefix("file."): self = .none
        case .unreachable(let failure): self.init(unreachable: failure)
        case .retry(let failure, let after): self = failure.isOfTheirs ? .busy(after: after) : .fine
        case .refused(let failure): self = failure.code.hasPrefix("file.") ? .none : .fine
        case .blocked(let reason, let failure): self.init(reason, failure)
        }
    }

    private init(unreachable failure: Item.Failure) {
        switch failure.code {
        case "http.540": self = .closed(.projectPaused)
        case "network.untrusted": self = .closed(.untrusted)
        default: self = .silent
        }
    }

    private init(_ reason: Item.Blocked, _ failure: Item.Failure) {
        switch (reason, failure.code) {
        case (.budget, "http.402"): self = .closed(.quota)
        case (.bucket, _): self = .closed(.bucketMissing)
        case (.signIn, _) where failure.code.hasPrefix("auth."): self = .closed(.signIn)
        // A policy that refuses this one object is an answer like any other.
        case (.signIn, _): self = .fine
        default: self = .none
        }
    }
}

extension Item.Failure {
    /// What the server's answer asked for, as far as the code tells.
    var answerClass: AnswerClass? {
        if code.hasPrefix("http.") { return Int(code.dropFirst(5)).flatMap(AnswerClass.init(status:)) }
        guard code.hasPrefix("storage.") else { return nil }
        return AnswerClass(code: StorageCode(rawValue: String(code.dropFirst(8))))
    }

    /// Whether the server said, or showed, that it is overloaded.
    package var isLoad: Bool { answerClass == .retry(load: true) || code == "network.timedOut" }

    /// Whether the server itself is in trouble, whatever the request was.
    var isOfTheirs: Bool {
        if isLoad || code == "network.lost" { return true }
        return code.hasPrefix("http.5") || ["storage.InternalError", "storage.DatabaseError"].contains(code)
    }
}
