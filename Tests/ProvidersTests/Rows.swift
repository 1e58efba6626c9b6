import FoundationEssentials
import Supabase
import Testing
import Transfer

/// The JSON of `text`.
func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
}

/// The moment that `text`, such as `2026-11-20T10:00:00Z`, names.
func moment(_ text: String) throws -> Date {
    try Date.ISO8601FormatStyle().parse(text)
}

extension Data {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension HTTPBody {
    /// The bytes of a body in memory as text.
    var text: String? {
        if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}

/// The two bodies of fal's own description: Veo 3.1 says only where the video is, Sora 2 its figures too.
enum FalBodies {
    static let veo = #"{"video":{"url":"https://v3b.fal.media/files/b/kangaroo/output.mp4"}}"#
    static let sora = """
        {"video":{"content_type":"video/mp4",
        "url":"https://storage.googleapis.com/falserverless/example_outputs/sora_2_i2v_output.mp4",
        "width":1280,"height":720,"fps":24,"duration":4.2},"video_id":"video_123"}
        """
}
