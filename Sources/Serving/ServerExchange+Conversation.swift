extension ServerExchange {
    /// Waits until the connection has left HTTP, runs `converse` on it, and closes it.
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
