import Configuration
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access

/// A key is read again once it was refused, and never before.
@Suite struct RereadCredentialsTests {
    private static func signed(_ secret: String) -> StorageCredentials { StorageCredentials(key: secret, origin: "f") }

    @Sendable private static func old(_: StorageCredentials?) async throws(StorageError) -> StorageCredentials {
        signed("old")
    }

    @Sendable private static func silent() throws(StorageError) {}

    /// What stands in the file of the key: the key, or why it cannot be read.
    private typealias File = Result<String?, SettingsError>
    private let file = Shared<File>(.success("old"))
    private let reads = Shared(0)

    private func credentials(
        from found: @escaping CredentialsSource = Self.old,
        advice: @escaping @Sendable () throws(StorageError) -> Void = Self.silent
    ) -> RereadCredentials {
        RereadCredentials(
            found, key: AccountKey(secret: "old", origin: "f"),
            read: { [file, reads] () throws(SettingsError) in
                reads.change { $0 += 1 }
                return try file.value.get().map { AccountKey(secret: $0, origin: "f") }
            },
            sign: { key throws(StorageError) in
                guard let key else { throw .signedOut("no key") }
                return { _ throws(StorageError) in Self.signed(key.secret) }
            }, advice: advice)
    }

    @Test func aNewKeyCountsOnceTheOldOneIsRefused() async throws {
        let credentials = credentials()
        file.change { $0 = .success("new") }
        #expect(try await credentials.credentials().bearer == "old")
        #expect(reads.value == 0)
        #expect(try await credentials.credentials(after: Self.signed("old")).bearer == "new")
        // A request that began before that.
        #expect(try await credentials.credentials(after: Self.signed("old")).bearer == "new")
        #expect(try await credentials.source(nil).bearer == "new")
        #expect(reads.value == 1)
        file.change { $0 = .success("newest") }
        #expect(try await credentials.credentials(after: Self.signed("new")).bearer == "newest")
    }

    @Test func theSameKeyIsReturnedAndReadAgainNextTime() async throws {
        let credentials = credentials()
        for round in 1...2 {
            #expect(try await credentials.credentials(after: Self.signed("old")) == Self.signed("old"))
            #expect(reads.value == round)
        }
        file.change { $0 = .success("new") }
        #expect(try await credentials.credentials(after: Self.signed("old")).bearer == "new")
    }

    @Test func aKeyThatCannotBeReadIsNamedAndTriedAgain() async throws {
        let credentials = credentials()
        file.change { $0 = .failure(SettingsError(source: "f", reason: "is readable by others.")) }
        let unreadable = await #expect(throws: StorageError.self) {
            try await credentials.credentials(after: Self.signed("old"))
        }
        guard case .signedOut(let sentence) = unreadable else { throw try #require(unreadable) }
        #expect(sentence.contains("is readable by others."))
        file.change { $0 = .success(nil) }
        await #expect(throws: StorageError.signedOut("no key")) {
            try await credentials.credentials(after: Self.signed("old"))
        }
        #expect(try await credentials.credentials().bearer == "old")
        file.change { $0 = .success("new") }
        #expect(try await credentials.credentials(after: Self.signed("old")).bearer == "new")
    }

    @Test func aSignInThatEndedGoesOnWithAnotherKeyAlone() async throws {
        let credentials = credentials(from: { _ throws(StorageError) in throw .signedOut("ended") })
        await #expect(throws: StorageError.signedOut("ended")) { try await credentials.credentials() }
        file.change { $0 = .success("new") }
        #expect(try await credentials.credentials().bearer == "new")
    }

    @Test func silenceReadsNothing() async throws {
        let silence = StorageError.noAnswer(TransferError(.unreachable, "no answer", mayHaveArrived: false))
        let credentials = credentials(from: { _ throws(StorageError) in throw silence })
        await #expect(throws: silence) { try await credentials.credentials(after: Self.signed("old")) }
        #expect(reads.value == 0)
    }

    @Test func adviceIsGivenWhereTheKeyIsTheSame() async throws {
        let credentials = credentials(advice: { () throws(StorageError) in throw .signedOut("somewhere else") })
        await #expect(throws: StorageError.signedOut("somewhere else")) {
            try await credentials.credentials(after: Self.signed("old"))
        }
        file.change { $0 = .success("new") }
        #expect(try await credentials.credentials(after: Self.signed("old")).bearer == "new")
    }
}
