import Database
import Platform
import TestSupport
import Testing

@testable import Catalog

/// The name by which objects tell which computer stored them.
@Suite struct IdentityTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// systemd's id of the computer at each start, on the same state.
        let machines: [String?]
        /// Which of them share an identity, by numbers.
        let identities: [Int]
        /// Which of the identities is the former one in the end.
        let former: Int?

        init(_ sentence: String, _ machines: [String?], _ identities: [Int], former: Int? = nil) {
            (testDescription, self.machines, self.identities, self.former) = (sentence, machines, identities, former)
        }
    }

    static let rows = [
        Row("one computer keeps its name", ["a", "a", "a"], [0, 0, 0]),
        Row("a container without an id keeps the name of its state", ["a", nil, "a"], [0, 0, 0]),
        Row("an id that comes later is no other computer's", [nil, "a", "a"], [0, 0, 0]),
        Row("a state that was copied gets another name", ["a", "b", "b"], [0, 1, 1], former: 0),
        Row("a state that is carried to and fro has one for each", ["a", "b", "a", "b"], [0, 1, 0, 1], former: 0),
        Row("a copy of a copy tells of the last one", ["a", "b", "c"], [0, 1, 2], former: 1),
    ]

    @Test(arguments: rows)
    func aStateIsNamedAfterItsComputer(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await library.close()
            // As it is before any computer has named it.
            let database = try Connection(path: path.display)
            try database.execute("DELETE FROM facts WHERE name IN ('computer', 'machine')")
            var names: [String] = []
            for machine in row.machines {
                names.append(try Library.keptIdentity(in: database, at: path, machine: machine))
            }
            let numbers = names.map { name in Set(names.prefix { $0 != name }).count }
            #expect(numbers == row.identities)
            let former = try await library.formerIdentity()
            #expect(former == row.former.map { number in names[row.identities.firstIndex(of: number) ?? 0] })
            // From then on the bucket is looked through for what the other computer deletes.
            #expect(try await library.isShared() == (row.former != nil))
        }
    }
}
