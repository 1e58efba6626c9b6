import Records
package import Supabase

extension ScratchTrial.Result {
    /// One finding for each right, with the SQL that would grant it to a key of that kind.
    package func findings(bucket: String, kind: KeyKind) -> [Finding] {
        if case .failed(let error) = insert, error.isBucketMissing { return [missing(bucket)] }
        var findings = [
            finding(.insert, insert, bucket, kind), finding(.select, select, bucket, kind),
            finding(.update, update, bucket, kind), finding(.delete, delete, bucket, kind),
        ]
        findings.append(inPieces)
        if let leftover {
            findings.append(
                .doubtful("scratch object", "\(leftover) could not be removed: delete it in the dashboard."))
        }
        return findings
    }

    private func missing(_ bucket: String) -> Finding {
        let reason = "Bucket \"\(bucket)\" does not exist. Run the SQL below in the project's SQL editor."
        return .wrong("bucket", reason, sql: ProjectSQL.bucket(bucket), ending: .needsHuman(reason))
    }

    private func finding(
        _ right: BucketRight, _ outcome: ScratchTrial.Outcome, _ bucket: String, _ kind: KeyKind
    ) -> Finding {
        let name = right == .update ? "upsert" : right.rawValue
        switch outcome {
        case .granted: return .fine(name, "may \(right.use)")
        case .failed(let error): return .wrong(name, error)
        case .untried: return .doubtful(name, "not tried, since what comes before it did not work.")
        case .denied:
            guard kind.mayHavePolicies else {
                let reason = "Without a sign-in you may not \(right.use). Run \"gallery-sync login\"."
                return .wrong(name, reason, ending: .notPermitted(reason))
            }
            let reason = "No policy lets this sign-in \(right.use). Run the SQL below in the project's SQL editor."
            return .wrong(
                name, reason, sql: ProjectSQL.policy(right, bucket: bucket), ending: .notPermitted(reason))
        }
    }

    /// Whether resumable uploads work; even a refusal shows that the server knows them.
    private var inPieces: Finding {
        switch resumable {
        case .granted, .denied: return .fine("resumable", "uploads in pieces are answered")
        case .untried: return .doubtful("resumable", "not tried.")
        case .failed(let error):
            guard error.isUnknownRoute else { return .wrong("resumable", error) }
            return .wrong(
                "resumable",
                "This server does not answer uploads in pieces, so that large files begin anew after every break. "
                    + "It says: \(error)")
        }
    }
}

extension StorageError {
    /// Whether the server does not know the route at all.
    fileprivate var isUnknownRoute: Bool {
        switch self {
        case .refused(let refusal): refusal.httpStatus == 404 || refusal.httpStatus == 405
        case .unreadable(let status, _): status == 404
        case .noAnswer, .signedOut: false
        }
    }
}

extension KeyKind {
    /// Whether policies can grant rights to this key; a project's public keys stand for no user.
    fileprivate var mayHavePolicies: Bool { self != .publishable && self != .legacy(role: "anon") }
}
