import Testing

@testable import Transfer

/// What people read of a connection that failed.
@Suite struct ConnectionTroubleTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let kind: TransferError.Kind
        let isNameUnknown: Bool
        let code: Int32
        let words: String
        let sentence: String

        init(
            _ testDescription: String, _ kind: TransferError.Kind, isNameUnknown: Bool = false, code: Int32 = 0,
            words: String = "", _ sentence: String
        ) {
            self.testDescription = testDescription
            (self.kind, self.isNameUnknown, self.code) = (kind, isNameUnknown, code)
            (self.words, self.sentence) = (words, sentence)
        }
    }

    @Test(arguments: [
        Row("no server", .unreachable, code: 111, "Cannot reach http://h:1: connection refused"),
        Row("no route", .unreachable, code: 113, "Cannot reach http://h:1: no route to host"),
        Row(
            "no such name", .unreachable, isNameUnknown: true, code: 2,
            "Cannot reach http://h:1: this name is not known to the network"),
        Row(
            "packets are dropped", .unreachable, words: "Connection timed out after 9 ms",
            "Cannot reach http://h:1: no answer"),
        Row(
            "a reset", .lost, code: 104, words: "Recv failure",
            "The connection to http://h:1 broke: connection reset by peer"),
        Row("half an answer", .lost, words: "transfer closed", "The connection to http://h:1 broke: transfer closed"),
        Row("silence", .timedOut, words: "Operation timed out", "http://h:1 did not answer in time"),
        Row("no TLS", .secure, words: "wrong version", "No secure connection to http://h:1: wrong version"),
        Row("a stranger", .untrusted, words: "it is old", "The certificate of http://h:1 is not trusted: it is old"),
        Row("a bad URL", .unsendable, words: "URL using bad format", "URL using bad format"),
    ])
    func isOneSentenceWithoutCodes(_ row: Row) {
        let trouble = ConnectionTrouble(
            kind: row.kind, isNameUnknown: row.isNameUnknown, url: "http://h:1/storage/v1/bucket?token=x",
            systemCode: row.code, words: row.words)
        #expect(trouble.sentence == row.sentence)
    }
}
