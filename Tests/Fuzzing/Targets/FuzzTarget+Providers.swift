import FoundationEssentials
import Platform
import Providers
import Supabase
import Transfer

extension FuzzTarget {
    static let providers = [
        FuzzTarget("provider-answer", texts: answers) { text in
            let (first, rest) = text.cutAtLine
            let api = JobAPI.all[Int(first.utf8.first ?? 0) % JobAPI.all.count]
            let network = SameAnswer("200\n\n" + rest)
            return Awaited.value { await used(PolledProvider(api, key: "ak:sk", transport: network)) } ?? nil
        },
        FuzzTarget("fal-answer", texts: falAnswers) { text in
            let network = SameAnswer(text)
            return Awaited.value { await used(Fal(key: "k", models: ["m"], transport: network)) } ?? nil
        },
        FuzzTarget("file-name", texts: ["attachment; filename=\"a b.mp4\"", "inline; filename*=UTF-8''%e2%82%ac.mp4"]) {
            let name = ContentDisposition.fileName(in: $0)
            return unless(
                name.map { !$0.utf8.contains(0x2F) && !$0.utf8.contains(0) } ?? true, "the name \(name ?? "")")
        },
        FuzzTarget("link", texts: ["https://x.io:443/a?b=c#d", "http://[::1]/", "//10.0.0.1/a", "https://u@h/%2e"]) {
            let rules = LinkRules()
            if rules.refusal(of: $0) == nil {
                guard let address = WebAddress($0), address.scheme == "https" || address.scheme == "http" else {
                    return "permitted, but no address: \($0)"
                }
                _ = address.identity + address.fileExtension
            }
            _ = try? rules.target(of: $0, from: "https://x.io/a/b")
            _ = IPAddress($0)?.isPublic
            return nil
        },
        FuzzTarget("web-socket", seeds: frames, read: webSocket),
    ]

    private static let answers = [
        "A\n{\"name\":\"o\",\"done\":true,\"response\":{\"generateVideoResponse\":{\"generatedSamples\":[{\"video\":{\"uri\":\"https://g.io/v\"}}]}}}",
        "B\n{\"status\":\"completed\",\"progress\":40,\"created_at\":1e300,\"size\":\"1280x720\",\"seconds\":\"8\"}",
        "C\n{\"status\":\"SUCCEEDED\",\"output\":[\"https://r.io/v.mp4\"],\"createdAt\":\"2026-11-20T18:36:45.278Z\",\"progress\":1}",
        "E\n{\"status\":\"succeeded\",\"output\":\"https://r.io/v.mp4\",\"results\":[{\"id\":\"1\"}],\"next\":\"https://r.io/2\"}",
        "G\n{\"status\":\"succeeded\",\"content\":{\"video_url\":\"https://t.io/v\"},\"created_at\":1,\"updated_at\":2}",
        "H\n{\"output\":{\"task_status\":\"SUCCEEDED\",\"video_url\":\"https://o.io/v.mp4?Expires=1\"}}",
        "J\n{\"status\":\"Success\",\"file_id\":\"7\",\"base_resp\":{\"status_code\":0}}",
    ]
    private static let falAnswers = [
        "200\n\n{\"status\":\"COMPLETED\",\"request_id\":\"1\",\"video\":{\"url\":\"https://f.io/v.mp4\",\"file_size\":3,"
            + "\"content_type\":\"video/mp4\",\"duration\":1e99},\"images\":[{\"url\":\"https://f.io/a.png\"}]}",
        "422\n\n{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"no\",\"type\":\"content_policy_violation\"}]}",
    ]

    private static func used(_ provider: some Provider) async -> String? {
        let job = JobReference(provider.name, "1", model: "m")
        do throws(ProviderError) {
            let status = try await provider.status(of: job)
            if let share = status.progress, !(0...1).contains(share) { return "a progress of \(share)" }
        } catch {
            let isLoose = "\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }
            if isLoose { return "said to people: \("\(error)".debugDescription)" }
        }
        _ = try? await provider.files(of: job)
        _ = try? await provider.finished(since: Date(timeIntervalSince1970: 0))
        _ = try? await provider.inlined(0, of: job)
        return nil
    }

    @Sendable private static func frames() -> [[UInt8]] {
        let frames = [WebSocketFrame(.text, Array("hi".utf8), isFinal: false), WebSocketFrame(.continuation, [0xC3])]
        let others = [WebSocketFrame.close(1_000, "bye"), WebSocketFrame(.ping, [1])]
        return (frames + others).map { $0.encoded(mask: nil) } + [(frames + others).flatMap { $0.encoded(mask: nil) }]
    }

    /// Bytes yield the same events however they are split on the way.
    @Sendable private static func webSocket(_ bytes: [UInt8]) -> String? {
        func events(in pieces: [[UInt8]]) -> [WebSocketReader.Event]? {
            var reader = WebSocketReader(limit: 1 << 16)
            var events: [WebSocketReader.Event] = []
            for piece in pieces {
                guard let more = try? reader.feed(piece) else { return nil }
                events += more
            }
            return events
        }
        return unless(events(in: [bytes]) == events(in: bytes.map { [$0] }), "split otherwise it says something else")
    }
}
