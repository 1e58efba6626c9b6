import Configuration
import Dashboard
import Platform
import Restoring
import Supabase
import TestSupport
import Testing

@testable import Control

/// The restores that the page asked for, as it is told of them.
@Suite struct PageRestoresTests {
    /// A restore that is not run here.
    static func restorer() -> Restorer {
        let endpoint = StorageEndpoint(base: "http://storage")
        let storage = StorageClient(
            endpoint: endpoint, credentials: StorageCredentials(key: "k"), transport: ScriptedTransport([]))
        let destination = Destination(endpoint: endpoint, bucket: "media", prefix: "")
        return Restorer(Restorer.Setup(storage: storage, destination: destination, directory: "/none"))
    }

    /// However many are asked for: who has asked wants to see that it is not forgotten.
    @Test(arguments: [0, 1, 8, 9, 30])
    func oneThatHasNotEndedIsAlwaysToldOf(count: Int) {
        let restores = PageRestores()
        for number in 0..<count { restores.begin(Self.restorer(), title: "\(number)", total: number) }
        #expect(restores.works.map(\.id) == Array(1...(count + 1)).dropLast())
        #expect(restores.works.map(\.total) == Array(0..<count))
        #expect(restores.works.allSatisfy { $0.sentence == nil && !$0.isFailure && $0.done == 0 })
    }
}
