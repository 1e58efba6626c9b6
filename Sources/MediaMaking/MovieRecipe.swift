import CFFmpeg
import Frames
import MediaModel

extension MovieWriter {
    /// How FFmpeg makes one of the formats.
    struct Recipe {
        let container: String
        let encoder: String
        var pixels = AV_PIX_FMT_YUV420P
        var options: [(String, String)] = []
        /// FFmpeg's quantizer scale, for encoders without a better setting of quality.
        var scale: Int32?
        var tag: String?
        var hasSound = false
        var metadata: [(String, String)] = []
        var containerOptions: [(String, String)] = []
        /// The HDR transfer of the bitmaps; `nil` for ordinary pictures.
        var transfer: HDRTransfer?

        init(_ format: Format, _ film: Film) {
            self.init(format)
            if film.isLive, format == .mkv || format == .webm { containerOptions.append(("live", "1")) }
            if film.isLive, format == .mp4 {
                containerOptions.append(("movflags", "frag_keyframe+empty_moov+default_base_moof"))
            }
            // No B-frames, because x265 reads uninitialized time stamps for fewer frames than its delay.
            if format == .mov, film.frames < 4 { options.append(("bf", "0")) }
            guard let transfer = film.transfer else { return }
            self.transfer = transfer
            pixels = AV_PIX_FMT_YUV420P10LE
        }

        private init(_ format: Format) {
            switch format {
            case .mp4:
                self.init("mp4", "libx264", Self.h264)
                hasSound = true
                metadata = Self.recorded
            case .mov:
                let quiet = "log-level=none:pools=2:frame-threads=1"
                self.init("mov", "libx265", [("preset", "ultrafast"), ("crf", "26"), ("x265-params", quiet)])
                tag = "hvc1"
                metadata = Self.recorded + Self.apple
                containerOptions = [("movflags", "use_metadata_tags")]
            case .webm:
                self.init(
                    "webm", "libvpx-vp9", [("deadline", "realtime"), ("cpu-used", "8"), ("crf", "34"), ("b", "0")])
                metadata = Self.recorded
            case .mkv:
                self.init("matroska", "libx264", Self.h264)
                metadata = Self.recorded
            case .avi:
                self.init("avi", "mpeg4")
                scale = 4
            case .ts:
                self.init("mpegts", "libx264", Self.h264)
            case .gif:
                self.init("gif", "gif")
                pixels = AV_PIX_FMT_RGB8
            case .apng:
                self.init("apng", "apng")
                pixels = AV_PIX_FMT_RGB24
            case .animatedWebP:
                self.init("webp", "libwebp_anim", [("quality", "85")])
            }
        }

        private init(_ container: String, _ encoder: String, _ options: [(String, String)] = []) {
            self.container = container
            self.encoder = encoder
            self.options = options
        }

        /// Options without x264's macroblock tree, whose AVX-512 code sometimes gives other bytes for the same frames.
        private static let h264 = [("preset", "veryfast"), ("crf", "24"), ("mbtree", "0")]
        private static let recorded = [("creation_time", "2026-06-20T01:00:00.000000Z")]
        private static let apple = [
            ("com.apple.quicktime.make", "Gallery"), ("com.apple.quicktime.model", "Phone 1"),
            ("com.apple.quicktime.creationdate", "2026-06-20T10:00:00+0900"),
        ]

        func settings(_ film: Film, hasGlobalHeader: Bool) -> Encoder.Settings {
            var settings = Encoder.Settings(width: film.width, height: film.height, format: pixels)
            settings.framesPerSecond = Int32(film.framesPerSecond)
            settings.keyInterval = Int32(film.keyInterval)
            settings.pixelAspect = AVRational(num: Int32(film.pixelAspect.0), den: Int32(film.pixelAspect.1))
            settings.hasGlobalHeader = hasGlobalHeader
            settings.scale = scale
            settings.options = options
            settings.matrix = Self.isHighDefinition(film.height) ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
            if let transfer {
                settings.matrix = AVCOL_SPC_BT2020_NCL
                settings.primaries = AVCOL_PRI_BT2020
                settings.transfer = transfer == .pq ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_ARIB_STD_B67
            }
            return settings
        }

        private static func isHighDefinition(_ height: Int) -> Bool { height >= 720 }

        /// The bitmap in the encoder's format: limited range, and the matrix usual for its size.
        func frame(_ bitmap: Bitmap) throws(FFmpegError) -> Frame {
            let frame = try Frame.copy(of: bitmap)
            let usual = Self.isHighDefinition(bitmap.height) ? SWS_CS_ITU709 : SWS_CS_ITU601
            let target = Scaler.Target(
                width: bitmap.width, height: bitmap.height, format: pixels, isFullRange: pixels == AV_PIX_FMT_RGB24,
                matrix: transfer == nil ? usual : SWS_CS_BT2020)
            let converted = try Scaler.convert(frame, to: target, flags: SWS_BICUBIC | SWS_ACCURATE_RND)
            if let scale { converted.pointer.pointee.quality = scale * FF_QP2LAMBDA }
            return converted
        }
    }
}
