import Providers
import Text

extension SettingFormat where Value == Settings.OwnProvider {
    /// The facts about a provider's API, as `JobAPI` has them.
    static func ownProvider(_ name: ProviderName) -> Self {
        Self(
            expectation: "{url, ask, result, …} as config/gallery-sync.json5 shows it",
            read: { (value) throws(SettingFault) in
                guard case .table(let table) = value else {
                    throw SettingFault(reason: "is \(value.line), expected {url, ask, result, …}.")
                }
                return try OwnProviderReader(table).provider(name, written: value)
            },
            write: \.written)
    }
}

/// Reads the facts about one provider; throws for the first that makes no sense.
struct OwnProviderReader {
    /// The facts that only added providers have, beside `url` and `keyFile`.
    static let facts = [
        "auth", "headers", "ask", "list", "cancel", "state", "words", "progress", "created", "ended", "expires",
        "reason", "result", "file", "content", "lifetime", "pollEvery", "patience",
    ]

    private let table: [String: SettingValue]
    /// The place of the table, such as `.file`; empty for the provider itself.
    private let place: String

    init(_ table: [String: SettingValue], knowing names: [String] = ["url", "keyFile"] + facts, at place: String = "")
        throws(SettingFault)
    {
        if let unknown = table.keys.sorted().first(where: { !names.contains($0) }) {
            let suggestion = Spelling.suggestion(for: unknown, among: names)
            throw SettingFault(place: "\(place).\(unknown)", reason: "is no fact about a provider.\(suggestion)")
        }
        (self.table, self.place) = (table, place)
    }

    func provider(_ name: ProviderName, written: SettingValue) throws(SettingFault) -> Settings.OwnProvider {
        var account = Settings.Account()
        account.url = try needed("url", .webAddress)
        account.keyFile = try value("keyFile", .keyFile)
        let results = try results()
        let content = try fact("content") { (text) throws(FactFault) in try CallPath(text) }
        guard !results.isEmpty || content != nil else {
            throw SettingFault(reason: "has neither \"result\" nor \"file\" nor \"content\": where is the video?")
        }
        guard let ask = try call("ask") else { throw SettingFault(reason: "has no \"ask\".") }
        var api = JobAPI(name, base: account.url, ask: ask, results: results)
        api.otherwise = content.map { .call($0, .video) }
        try read(into: &api)
        return Settings.OwnProvider(api: api, account: account, written: written)
    }

    private func read(into api: inout JobAPI) throws(SettingFault) {
        if table["auth"] != nil { api.authentication = try authentication() }
        api.headers = try headers()
        api.list = try listing()
        api.cancel = try fact("cancel") { (text) throws(FactFault) in try JobCall(text) }
        if let state = try path("state") { api.answer.state = [state] }
        api.answer.words = try words()
        api.answer.progress = try path("progress").map { .percent($0) }
        api.answer.created = try path("created")
        api.answer.ended = try path("ended")
        api.answer.expires = try path("expires")
        api.answer.reason = try path("reason")
        api.lifetime = try value("lifetime", .duration(.seconds(60) ... .seconds(365 * 86_400)))
        api.leastWait = try value("pollEvery", .duration(.seconds(1) ... .seconds(3_600))) ?? .zero
        api.patience = try value("patience", .duration(.seconds(3_600) ... .seconds(30 * 86_400))) ?? api.patience
    }
}

extension OwnProviderReader {
    private func value<Member>(_ name: String, _ format: SettingFormat<Member>) throws(SettingFault) -> Member? {
        guard let value = table[name], value != .null else { return nil }
        do throws(SettingFault) {
            return try format.read(value)
        } catch {
            throw error.inside("\(place).\(name)")
        }
    }

    private func needed<Member>(_ name: String, _ format: SettingFormat<Member>) throws(SettingFault) -> Member {
        if let value = try value(name, format) { return value }
        throw SettingFault(place: place, reason: "has no \"\(name)\".")
    }

    private func fact<Fact>(_ name: String, _ read: (String) throws(FactFault) -> Fact) throws(SettingFault) -> Fact? {
        guard let text = try value(name, .text("text")) else { return nil }
        do throws(FactFault) {
            return try read(text)
        } catch {
            throw SettingFault(place: "\(place).\(name)", reason: "\(error.reason).")
        }
    }

    private func path(_ name: String) throws(SettingFault) -> AnswerPath? {
        try fact(name) { (text) throws(FactFault) in try AnswerPath(text) }
    }

    /// A call that names one job or one file.
    private func call(_ name: String) throws(SettingFault) -> CallPath? {
        guard let call = try fact(name, { (text) throws(FactFault) in try CallPath(text) }) else { return nil }
        if call.takesID { return call }
        throw SettingFault(place: "\(place).\(name)", reason: "is \"\(call.text)\", expected \"{id}\" in it.")
    }

    private func group(_ name: String, _ names: [String]) throws(SettingFault) -> OwnProviderReader? {
        guard let value = table[name], value != .null else { return nil }
        guard case .table(let members) = value else {
            let form = names.joined(separator: ", ")
            throw SettingFault(place: ".\(name)", reason: "is \(value.line), expected {\(form)}.")
        }
        return try OwnProviderReader(members, knowing: names, at: ".\(name)")
    }

    private func results() throws(SettingFault) -> [ResultPlace] {
        var results: [ResultPlace] = []
        if case .list(let list)? = table["result"] {
            for (index, element) in list.enumerated() {
                do throws(SettingFault) {
                    let one = try OwnProviderReader(["path": element], knowing: ["path"])
                    if let path = try one.path("path") { results.append(.named(path)) }
                } catch {
                    throw SettingFault(place: ".result[\(index)]", reason: error.reason)
                }
            }
        } else if let path = try path("result") {
            results.append(.named(path))
        }
        if let file = try group("file", ["id", "ask", "link"]) {
            guard let id = try file.path("id"), let ask = try file.call("ask"), let link = try file.path("link") else {
                throw SettingFault(place: ".file", reason: "needs \"id\", \"ask\" and \"link\".")
            }
            results.append(.file(id, ask, link: link, .unknown))
        }
        return results
    }

    private func listing() throws(SettingFault) -> JobListing? {
        guard let list = try group("list", ["ask", "rows", "id"]) else { return nil }
        let ask = try list.fact("ask") { (text) throws(FactFault) in try CallPath(text) }
        guard let ask, !ask.takesID, let rows = try list.path("rows") else {
            throw SettingFault(place: ".list", reason: "needs \"ask\", without \"{id}\", and \"rows\".")
        }
        return JobListing(path: ask, rows: rows, id: try list.path("id") ?? "id")
    }

    private func words() throws(SettingFault) -> [String: JobState] {
        guard let value = table["words"], value != .null else { return [:] }
        let states: [String: JobState] = [
            "queued": .queued, "running": .running, "succeeded": .succeeded, "failed": .failed, "cancelled": .cancelled,
        ]
        guard case .table(let table) = value else {
            throw SettingFault(place: ".words", reason: "is \(value.line), expected words like {done: \"succeeded\"}.")
        }
        var words: [String: JobState] = [:]
        for (word, meaning) in table.sorted(by: { $0.key < $1.key }) {
            guard case .text(let text) = meaning, let state = states[text] else {
                let known = states.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
                throw SettingFault(place: ".words.\(word)", reason: "is \(meaning.line), expected one of \(known).")
            }
            words[word.lowercased()] = state
        }
        return words
    }

    /// A header with `{key}` at its end, such as `Authorization: Bearer {key}`; null if the provider needs no key.
    private func authentication() throws(SettingFault) -> JobAPI.Authentication {
        guard let text = try value("auth", .text("text")) else { return .none }
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, Self.isHeader(parts[0]), parts[1].hasSuffix("{key}"),
            parts[1].utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else {
            // The text is not repeated, because it may contain the key, which no cleanser knows here.
            throw SettingFault(
                place: ".auth",
                reason: "is no header with {key} at its end, such as \"X-Key: {key}\"; the key itself belongs into the "
                    + "file of \"keyFile\".")
        }
        return .header(parts[0].lowercased(), prefix: String(parts[1].dropLast(5).drop { $0 == " " }))
    }

    private func headers() throws(SettingFault) -> [String: String] {
        guard let value = table["headers"], value != .null else { return [:] }
        guard case .table(let table) = value else {
            throw SettingFault(place: ".headers", reason: "is \(value.line), expected {name: \"text\"}.")
        }
        var headers: [String: String] = [:]
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            guard case .text(let text) = value, Self.isHeader(name[...]), name.lowercased() != "authorization",
                text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
            else {
                throw SettingFault(
                    place: ".headers.\(name)", reason: "is no header to send; a key belongs into \"keyFile\".")
            }
            headers[name.lowercased()] = text
        }
        return headers
    }

    private static func isHeader(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 == 0x2D || SettingFormat<String>.isAlphanumeric($0) }
    }
}
