import Database
package import FoundationEssentials
import Platform

extension Library {
    /// The name of the fact that says when the objects of other computers were last asked for.
    private static let sharedFact = "shared"

    /// When it was last asked whether the objects are there that another computer stored, and that count for files here.
    ///
    /// `nil` where no object of another computer ever did.
    package func sharedAskedAt() throws -> Date? {
        try fact(Self.sharedFact).flatMap(Double.init).map { Date(timeIntervalSince1970: $0) }
    }

    /// Notes that objects of another computer were seen to be there.
    package func noteShared(at now: Date) throws {
        try setFact(Self.sharedFact, to: "\(now.timeIntervalSince1970)")
    }

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
