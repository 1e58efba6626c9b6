package import FoundationEssentials

/// One finished video, in the same form for every provider.
///
/// What the provider did not state is `nil`. Its figures are hints: the facts come from the downloaded file.
package struct VideoResult: Hashable, Codable, Sendable {
    /// The provider that made the video.
    package var provider: ProviderName
    /// The link as the provider gave it; it may expire.
    package var videoURL: String
    /// Such as `720p`, by the short side.
    package var resolution: String?
    /// Seconds.
    package var duration: Double?
    /// Frames per second.
    package var fps: Double?
    /// Pixels.
    var width: Int?
    /// Pixels.
    var height: Int?
    /// Whether there is a sound track.
    package var hasAudio: Bool?
    /// When the job was created.
    var createdAt: Date?

    private enum CodingKeys: String, CodingKey {
        case provider, videoURL, resolution, duration, fps, width, height, hasAudio, createdAt
    }

    /// A result whose label follows from its sides, or is the `stated` one where they are unknown.
    package init(
        provider: ProviderName, videoURL: String, stated resolution: String? = nil, duration: Double? = nil,
        fps: Double? = nil, width: Int? = nil, height: Int? = nil, hasAudio: Bool? = nil, createdAt: Date? = nil
    ) {
        self.provider = provider
        self.videoURL = videoURL
        self.resolution = Self.resolution(width: width, height: height) ?? resolution
        self.duration = duration
        self.fps = fps
        self.width = width
        self.height = height
        self.hasAudio = hasAudio
        self.createdAt = createdAt
    }
}

extension VideoResult {
    /// `720p` for 1280×720 and 720×1280; `4k` for a short side of 2160; `nil` while a side is unknown.
    ///
    /// A side within 2 % of a usual one counts as that one: encoders round to multiples of 16.
    package static func resolution(width: Int?, height: Int?) -> String? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        let side = min(width, height)
        let usual = usualSides.first { abs(Double(side - $0)) <= Double($0) * 0.02 } ?? side
        return usual == 2160 ? "4k" : "\(usual)p"
    }

    private static let usualSides = [240, 360, 480, 540, 576, 720, 1080, 1440, 2160, 4320]
}
