extension ServerExchange {
    /// Waits for the connection to leave HTTP, lets `converse` use it, and gives it back.
    func converse(_ converse: @Sendable (Conversation) async -> Void) async {
        guard let conversation = await handover.take() else { return }
        conversation.start()
        await withTaskCancellationHandler {
            await converse(conversation)
        } onCancel: {
            conversation.end()
        }
        await conversation.close()
    }
}
