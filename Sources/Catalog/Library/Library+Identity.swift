import Database
import Platform

extension Library {
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
