import Testing

/// The recording itself, without which the tests that are made of it would be none.
@Suite struct RecordingTests {
    @Test func everyCaseIsRead() throws {
        #expect(try Reference.read().count == 271)
    }
}
