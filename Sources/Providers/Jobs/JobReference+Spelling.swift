extension JobReference {
    /// The job that the user names, by the provider's id or by a link to it there.
    ///
    /// A bare id at StoryToVideo names a project, with all files that it makes.
    package init(_ provider: ProviderName, spelled text: String, model: String?) {
        guard let address = WebAddress(text) else {
            let isBare = provider == .storyToVideo && !text.contains("/")
            self.init(provider, isBare ? "projects/" + text : text, model: model)
            return
        }
        if let id = provider.api?.id(in: address) {
            self.init(provider, id, model: model)
            return
        }
        let words = address.path.split(separator: "/").map(String.init)
        let (id, maker) = Self.parts(of: words, at: provider)
        self.init(provider, id ?? text, model: model ?? maker)
    }

    /// The id at the end of a link's path, and the path before it if that is the model.
    private static func parts(of words: [String], at provider: ProviderName) -> (id: String?, model: String?) {
        switch provider {
        case .storyToVideo:
            let start = words.firstIndex { $0 == "projects" || $0 == "tasks" }
            let id = start.map { words[$0...].prefix(2) }
            return (id?.count == 2 ? id?.joined(separator: "/") : nil, nil)
        case .vertex:
            return (words.firstIndex(of: "projects").map { words[$0...].joined(separator: "/") }, nil)
        case .gemini:
            return (words.firstIndex(of: "models").map { words[$0...].joined(separator: "/") }, nil)
        case .fal:
            guard let start = words.firstIndex(of: "requests"), start + 1 < words.count else { return (nil, nil) }
            return (words[start + 1], words[..<start].joined(separator: "/"))
        default:
            return (words.last, nil)
        }
    }
}
