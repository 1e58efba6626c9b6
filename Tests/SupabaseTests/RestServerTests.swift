import TestSupport
import Testing
import Transfer

@testable import Supabase

/// The client of the database against tables in memory, over real connections.
@Suite struct RestServerTests {
    private static func with(
        _ tables: [String: [RestClient.Row]], _ body: (RestClient, RowServer) async throws -> Void
    ) async throws {
        let server = RowServer(tables)
        let transport = HTTPClient()
        try await server.serve { base in
            let client = RestClient(base: base, transport: transport) { _ throws(StorageError) in
                StorageCredentials(key: "k")
            }
            try await body(client, server)
        }
        transport.close()
    }

    @Test func rowsAreInsertedOnceAndThenReplaced() async throws {
        try await Self.with(["t": []]) { client, server throws in
            try await client.upsert([["id": 1, "a": "x"], ["id": 2, "a": "y"]], into: "t", on: ["id"], batch: 1)
            try await client.upsert([["id": 2, "a": "z"]], into: "t", on: ["id"])
            #expect(server.tables.value["t"] == [["id": 1, "a": "x"], ["id": 2, "a": "z"]])
            #expect(server.requests.value.count == 3)
        }
    }

    @Test(
        arguments: [
            ([.equals("name", "a&b=c/ü")], [1]), ([.equals("name", nil)], [3]), ([.greater("id", "1")], [2, 3]),
            ([.equals("name", "x"), .greater("id", "1")], [2]), ([.among("name", ["x", "a&b=c/ü"])], [1, 2]),
            ([], [1, 2, 3]),
        ] as [([RestFilter], [Int64])])
    func filtersChoose(filters: [RestFilter], ids: [Int64]) async throws {
        let rows: [RestClient.Row] = [["id": 1, "name": "a&b=c/ü"], ["id": 2, "name": "x"], ["id": 3, "name": nil]]
        try await Self.with(["t": rows]) { client, _ throws in
            let found = try await client.select(["id"], from: "t", where: filters, order: "id.asc")
            #expect(found == ids.map { ["id": .integer($0)] })
        }
    }

    @Test func rowsAreRemovedThatAllFiltersChoose() async throws {
        let rows: [RestClient.Row] = [
            ["id": 1, "k": "a,\"b\\"], ["id": 2, "k": "x"], ["id": 3, "k": "x"], ["id": 2, "k": "y"],
        ]
        try await Self.with(["t": rows]) { client, server throws in
            try await client.delete(from: "t", where: [.among("k", ["a,\"b\\", "x"]), .atMost("id", "2")])
            #expect(server.tables.value["t"] == [["id": 3, "k": "x"], ["id": 2, "k": "y"]])
            await #expect(throws: RestError.self) { try await client.delete(from: "t", where: []) }
            #expect(server.requests.value.count == 1)
        }
    }

    @Test func ofTwoWhoClaimARowOneGetsIt() async throws {
        try await Self.with(["jobs": [["id": 7, "state": "new"]]]) { client, server throws in
            let claim: [RestFilter] = [.equals("id", "7"), .equals("state", "new")]
            #expect(try await client.update("jobs", set: ["state": "mine"], where: claim).count == 1)
            #expect(try await client.update("jobs", set: ["state": "theirs"], where: claim).isEmpty)
            #expect(server.tables.value["jobs"] == [["id": 7, "state": "mine"]])
        }
    }

    @Test func aTableThatIsNotThereIsSaidAsTheServiceSaysIt() async throws {
        try await Self.with([:]) { client, _ throws in
            let error = await #expect(throws: RestError.self) { try await client.select(from: "none") }
            #expect(error?.refusal?.code == "PGRST205" && error?.refusal?.httpStatus == 404)
        }
    }
}
