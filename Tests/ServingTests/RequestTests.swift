import Testing

@testable import Serving

@Suite struct RequestTests {
    @Test(
        arguments: [
            ("/a?b", "/a", "b"), ("/a", "/a", nil), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"),
            ("/a%3Fb", "/a%3Fb", nil),
        ] as [(String, String, String?)])
    func theTargetIsSplitAtItsFirstQuestionMark(target: String, path: String, query: String?) {
        let request = Request(method: "GET", target: target)
        #expect(request.path == path)
        #expect(request.query.map(String.init) == query)
    }

    @Test(
        arguments: [
            ("/?a=1&b=2", "b", "2"), ("/?a=1&a=2", "a", "1"), ("/?a", "a", ""), ("/?a=", "a", ""), ("/?b=1", "a", nil),
            ("/", "a", nil), ("/?a=x=y", "a", "x=y"), ("/?a=%E5%86%99+1%2B", "a", "写 1+"), ("/?%61=1", "a", "1"),
            ("/?a=100%", "a", "100%"), ("/?a=%zz", "a", "%zz"), ("/?&&a=1", "a", "1"),
        ] as [(String, String, String?)])
    func queryItemsAreDecoded(target: String, name: String, value: String?) {
        #expect(Request(method: "GET", target: target).queryItem(name) == value)
    }

    @Test(arguments: [(5, "12345"), (4, "tooLarge"), (0, "tooLarge")])
    func aBodyIsCollectedUpToALimit(limit: Int, result: String) async {
        for length in [5, nil] as [Int64?] {
            let pieces = Pieces([Array("123".utf8), Array("45".utf8)])
            let body = RequestBody(length: length) { () throws(BodyFailure) in await pieces.next() }
            var collected: String
            do throws(BodyFailure) {
                collected = String(decoding: try await body.collect(limit: limit), as: UTF8.self)
            } catch {
                collected = "\(error)"
            }
            #expect(collected == result)
        }
    }

    private actor Pieces {
        private var pieces: [[UInt8]]
        init(_ pieces: [[UInt8]]) { self.pieces = pieces }
        func next() -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst() }
    }

    @Test func headersAreFoundWithoutRegardToCase() {
        var headers: Headers = ["Content-Type": "a", "X": "1", "x": "2"]
        #expect(headers["content-TYPE"] == "a")
        #expect(headers["x"] == "1")
        #expect(headers["y"] == nil)
        headers["X"] = "3"
        #expect(headers.lines.map(\.value) == ["a", "3"])
        headers["x"] = nil
        headers.append("content-type", "b")
        #expect(headers.lines.map(\.value) == ["a", "b"])
        #expect(headers["Content-Type"] == "a")
        // `_` and the byte that differs from it by 0x20 are different names.
        #expect((["a_": "1"] as Headers)["a\u{7f}"] == nil)
    }
}

@Suite struct ByteQueueTests {
    @Test func piecesComeOutAsTheyWentIn() {
        var queue = ByteQueue()
        queue.append([])
        for number in 0..<200 { queue.append([UInt8(number)]) }
        #expect(queue.count == 200)
        #expect((0..<200).allSatisfy { queue.removeFirst() == [UInt8($0)] })
        #expect(queue.removeFirst() == nil)
        #expect(queue.count == 0)
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func bytesAreMovedAcrossPieces(room: Int) {
        var queue = ByteQueue()
        let bytes = (0..<50).map { UInt8($0) }
        for start in stride(from: 0, to: 50, by: 5) { queue.append(Array(bytes[start..<start + 5])) }
        var moved: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: room)
        while queue.count > 0 {
            let count = buffer.withUnsafeMutableBytes { queue.move(to: $0) }
            #expect(count == min(room, 50 - moved.count))
            moved += buffer[..<count]
        }
        #expect(moved == bytes)
    }

    @Test func theRestOfAPieceIsAPiece() {
        var queue = ByteQueue()
        queue.append([1, 2, 3])
        var buffer: [UInt8] = [0]
        #expect(buffer.withUnsafeMutableBytes { queue.move(to: $0) } == 1)
        #expect(queue.removeFirst() == [2, 3])
        queue.append([4])
        queue.removeAll()
        #expect(queue.count == 0)
        #expect(queue.removeFirst() == nil)
    }
}
