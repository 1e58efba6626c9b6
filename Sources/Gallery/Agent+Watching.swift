extension Agent {
    func watch() async throws {}
}
