import Platform
import Supabase
import Testing
import Transfer

@Suite struct StorageErrorTests {
    @Test(
        arguments: [
            (.unreachable, true), (.lost, true), (.timedOut, true), (.secure, true), (.untrusted, false),
            (.cancelled, false),
            (.tooLarge, false), (.sourceShrank, false), (.unsendable, false),
            (.local(SystemError(call: "pread", code: 5)), false),
        ] as [(TransferError.Kind, Bool)])
    func whatNeverArrivedMayBeTriedAgain(kind: TransferError.Kind, isRetryable: Bool) {
        for mayHaveArrived in [false, true] {
            let error = StorageError.noAnswer(TransferError(kind, "why", mayHaveArrived: mayHaveArrived))
            #expect(error.isRetryable == isRetryable)
            #expect(error.mayHaveArrived == mayHaveArrived)
            #expect(!error.isMissing && !error.isDuplicate && !error.isSignIn && !error.isDenied)
            #expect("\(error)" == "why")
        }
    }

    @Test(arguments: [
        (400, false), (404, false), (429, false), (500, true), (503, true), (504, true), (507, false), (511, false),
        (540, false),
    ])
    func aGatewayThatGaveUpMayHavePassedItOn(status: Int, mayHaveArrived: Bool) {
        #expect(StorageError.refused(StorageRefusal(HTTPResponse(status: status))).mayHaveArrived == mayHaveArrived)
    }

    @Test func aRefusalSpeaksThroughTheError() {
        let body = Array(#"{"statusCode":"409","code":"KeyAlreadyExists","message":"taken"}"#.utf8)
        let error = StorageError.refused(
            StorageRefusal(HTTPResponse(status: 400, headers: ["retry-after": "9"], body: body)))
        #expect(error.isDuplicate)
        #expect(!error.isRetryable)
        #expect(error.retryAfter == .seconds(9))
        #expect(error.refusal?.statusCode == 409)
        #expect("\(error)" == "taken (KeyAlreadyExists)")
    }

    @Test func nonsenseMayBeTriedAgain() {
        let error = StorageError.unreadable(status: 200, "not JSON")
        #expect(error.isRetryable && error.mayHaveArrived && error.refusal == nil)
        #expect("\(error)".contains("not JSON"))
    }
}
