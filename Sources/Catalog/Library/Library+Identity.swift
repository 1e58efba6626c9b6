import Database
package import FoundationEssentials
package import Platform

extension Library {
    /// When the whole bucket was last compared with the receipts, and by which file.
    package struct BucketLook: Hashable, Sendable {
        /// When the comparison began.
        package let at: Date
        /// When the library's file was made, where that is known: one that came back from a backup was made later.
        package let birth: FileTime?

        /// A look of a library whose file was made then.
        package init(at: Date, birth: FileTime?) { (self.at, self.birth) = (at, birth) }

        /// Whether the file that looked is the one that was made at `birth`, as far as that is known.
        package func isOfFile(madeAt birth: FileTime?) -> Bool {
            guard let birth, let known = self.birth else { return true }
            return birth == known
        }
    }

    /// The last look at the whole bucket; `nil` where there was none.
    package func bucketLook() throws -> BucketLook? {
        guard let words = try fact(Self.lookFact)?.split(separator: " "), let at = words.first.flatMap({ Double($0) })
        else { return nil }
        let birth = words.dropFirst().first.flatMap { Int64($0) }
        return BucketLook(at: Date(timeIntervalSince1970: at), birth: birth.map(FileTime.init(nanoseconds:)))
    }

    /// Notes durably that the whole bucket was looked at.
    package func note(_ look: BucketLook) throws {
        let birth = look.birth.map { " \($0.nanoseconds)" } ?? ""
        try setFact(Self.lookFact, to: "\(look.at.timeIntervalSince1970)\(birth)")
    }

    /// Whether storage may hold files of which this library knows nothing: it was made beside a bucket that held objects,
    /// or came back from a backup.
    package func mayLackReceipts() throws -> Bool {
        if let known = memory.mayLackReceipts { return known }
        let isPossible = try fact(Self.lackingFact) != nil
        memory.mayLackReceipts = isPossible
        return isPossible
    }

    /// Notes durably whether storage may hold files of which this library knows nothing.
    package func setMayLackReceipts(_ isPossible: Bool) throws {
        guard try mayLackReceipts() != isPossible else { return }
        try setFact(Self.lackingFact, to: isPossible ? "1" : nil)
        memory.mayLackReceipts = nil
    }

    /// The name of the fact that receipts may be missing.
    private static let lackingFact = "lacking"

    /// Has the whole bucket compared at the next occasion, since objects may have gone.
    package func doubtBucketLook() throws {
        guard let last = try bucketLook() else { return }
        try note(BucketLook(at: Date(timeIntervalSince1970: 0), birth: last.birth))
    }

    /// The name of the fact that holds the last look.
    private static let lookFact = "look"

    /// Whether an object that another computer stored ever counted for a file here.
    package func isShared() throws -> Bool { try fact(Self.sharedFact) != nil }

    /// Notes that an object of another computer counts here.
    package func noteShared(at now: Date) throws {
        if try !isShared() { try setFact(Self.sharedFact, to: "\(now.timeIntervalSince1970)") }
    }

    /// The name of the fact that tells of another computer; the time in it is that of earlier versions' last look.
    private static let sharedFact = "shared"

    /// The name of the fact that holds `identity`.
    private static let identityFact = "computer"

    /// The identity that is kept in `database`, made and kept there where none is.
    ///
    /// It is made of the computer, and of where the library lies: one that is lost and made anew has the same, and one
    /// that is moved keeps its own.
    static func keptIdentity(in database: Connection, at path: FilePath) throws -> String {
        let kept = try database.first("SELECT value FROM facts WHERE name = ?", .text(identityFact)) { $0.textOrNil(0) }
        if let kept = kept ?? nil { return kept }
        let made = SHA256.hash(Array("gallery-sync\n\(Host.machine)\n".utf8) + path.bytes).prefix(8).hexadecimal
        try database.run("INSERT INTO facts VALUES (?, ?)", binding: [.text(identityFact), .text(made)])
        return made
    }
}
