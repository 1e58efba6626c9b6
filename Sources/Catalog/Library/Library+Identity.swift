import Database
package import FoundationEssentials
import Platform
import Tables

extension Library {
    /// When the last comparison of the whole bucket with the receipts began; `nil` where there was none.
    package func bucketLook() throws -> Date? {
        // In earlier versions the birth of the file followed.
        try fact(Self.lookFact)?.split(separator: " ").first.flatMap { Double($0) }.map(
            Date.init(timeIntervalSince1970:))
    }

    /// Notes durably that a comparison of the whole bucket with the receipts, which has ended, began at `now`.
    package func noteBucketLook(at now: Date) throws {
        try setFact(Self.lookFact, to: "\(now.timeIntervalSince1970)")
    }

    /// Has the whole bucket compared at the next occasion, because objects may have gone.
    ///
    /// Before the first look nothing changes: files are asked about one by one then.
    package func doubtBucketLook() throws {
        guard let last = try bucketLook(), last != Self.longAgo else { return }
        try noteBucketLook(at: Self.longAgo)
    }

    /// The time of a look that does not count any more.
    private static let longAgo = Date(timeIntervalSince1970: 0)

    /// Doubts the last look at the bucket if this file came from a backup: objects were stored and deleted since.
    ///
    /// A restored copy is recognised by its birth: it was made later than the file whose birth was written down.
    package func expectBackup() throws {
        guard let birth = birth.map({ "\($0.nanoseconds)" }) else { return }
        let known =
            try fact(Self.birthFact) ?? fact(Self.lookFact)?.split(separator: " ").dropFirst().first.map(String.init)
        guard known != birth else { return }
        if known != nil {
            try setMayLackReceipts(true)
            try noteBucketLook(at: Self.longAgo)
        }
        try setFact(Self.birthFact, to: birth)
    }

    /// The name of the fact that holds when the library's file was made, in nanoseconds.
    private static let birthFact = "birth"

    /// The name of the fact that holds the last look.
    private static let lookFact = "look"

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
        let value = isPossible ? Self.unlooked : nil
        guard try mayLackReceipts() || isPossible, try fact(Self.lackingFact) != value else { return }
        try setFact(Self.lackingFact, to: value)
        memory.mayLackReceipts = nil
    }

    /// Notes durably that every root was looked at since receipts may be missing.
    package func noteLookAtRoots() throws {
        if try awaitsLookAtRoots() { try setFact(Self.lackingFact, to: "looked") }
    }

    /// Whether receipts may be missing, and the roots were not looked at since: there may be files to ask about.
    package func awaitsLookAtRoots() throws -> Bool {
        try mayLackReceipts() && fact(Self.lackingFact) == Self.unlooked
    }

    /// What the fact says until `noteLookAtRoots`.
    private static let unlooked = "1"

    /// The name of the fact that receipts may be missing.
    private static let lackingFact = "lacking"

    /// Whether the queue may have lost items without a trace, and nothing has looked for them since.
    package func mayLackItems() throws -> Bool { try fact(Self.itemsFact) != nil }

    /// Notes durably whether the queue may have lost items for which nothing has looked.
    package func setMayLackItems(_ isPossible: Bool) throws {
        try setFact(Self.itemsFact, to: isPossible ? "1" : nil)
    }

    /// The name of the fact that items may be missing.
    private static let itemsFact = "lacking items"

    /// Whether an object that another computer stored ever counted for a file here.
    package func isShared() throws -> Bool { try fact(Self.sharedFact) != nil }

    /// Notes that an object of another computer counts here.
    package func noteShared(at now: Date) throws {
        if try !isShared() { try setFact(Self.sharedFact, to: "\(now.timeIntervalSince1970)") }
    }

    /// The name of the fact that tells of another computer; the time in it is that of earlier versions' last look.
    private static let sharedFact = "shared"

    /// The names of the facts about what the bucket holds.
    static let bucketFacts = [lookFact, lackingFact, itemsFact, sharedFact]

    /// The name of the fact that holds `identity`.
    private static let identityFact = "computer"

    /// The name of the fact that holds systemd's id of the computer that the identity is for.
    private static let machineFact = "machine"

    /// The name of the fact that holds the identity of the computer from which this library was copied.
    private static let formerIdentityFact = "computer.former"

    /// The identity of another computer from which this library was copied, and which may still store what it stored.
    package func formerIdentity() throws -> String? { try fact(Self.formerIdentityFact) }

    /// The identity that is kept in `database`, made and kept there where none is.
    ///
    /// It is derived from the computer and the library's path: a library that is lost and made anew gets the same one,
    /// and a library that is moved keeps its own. One copied to another computer gets a new one, because both may go
    /// on, and neither must delete what the other stored.
    ///
    /// - Parameter machine: systemd's id of this computer; without it, copies are not recognised.
    static func keptIdentity(
        in database: Connection, at path: FilePath, machine: String? = Host.machineID
    ) throws -> String {
        let kept = try database.fact(identityFact)
        let known = try database.fact(machineFact)
        if let kept, machine == nil || known == nil || known == machine {
            if let machine, known == nil { try database.keep(machine, as: machineFact) }
            return kept
        }
        let place = Array("gallery-sync\n\(machine ?? Host.name)\n".utf8) + path.bytes
        let made = SHA256.hash(place).prefix(8).hexadecimal
        try database.execute("BEGIN IMMEDIATE")
        try database.keep(made, as: identityFact)
        if let machine { try database.keep(machine, as: machineFact) }
        if let kept {
            try database.keep(kept, as: formerIdentityFact)
            try database.keep("0", as: sharedFact)
        }
        try database.execute("COMMIT")
        return made
    }
}
