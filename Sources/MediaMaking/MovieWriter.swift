import CFFmpeg
package import Frames
package import MediaModel

/// Encodes frames as a whole video file, or as an animated picture.
package enum MovieWriter {
    /// Container and codec, in the usual pairs of cameras, phones and browsers.
    package enum Format: String, CaseIterable, Sendable {
        /// H.264 with AAC sound in MP4.
        case mp4
        /// HEVC in QuickTime.
        case mov
        /// VP9 in WebM.
        case webm
        /// H.264 in Matroska.
        case mkv
        /// MPEG-4 part 2 in AVI.
        case avi
        /// H.264 in an MPEG transport stream.
        case ts
        /// An animation of 256 colours.
        case gif
        case apng
        case animatedWebP = "animated-webp"

        /// Whether it is an animated picture, which counts as a photo.
        package var isPicture: Bool { [.gif, .apng, .animatedWebP].contains(self) }
    }

    /// The properties of a film apart from the content of its frames.
    package struct Film: Sendable {
        /// Stored pixels, before rotation.
        var width: Int
        /// Stored pixels, before rotation.
        var height: Int
        /// The number of frames; 0 for sound alone.
        var frames: Int
        /// The frame rate.
        var framesPerSecond: Int
        /// Degrees clockwise by which a player must turn the film: 0, 90, 180 or 270.
        var rotation: Int
        /// Frames from one key frame to the next.
        package var keyInterval: Int
        /// Width of a pixel over its height, as numerator and denominator.
        package var pixelAspect = (1, 1)
        /// The HDR transfer of the bitmaps; if set, the film has 10 bits and BT.2020 colours.
        package var transfer: HDRTransfer?
        /// The time stamp of the first frame, counted in frames.
        package var start = 0
        /// Whether the film is written as a stream of unknown length; for MKV, WebM and MP4 only.
        package var isLive = false
        /// A JPEG that the container holds as its cover.
        package var cover: [UInt8]?

        /// A film with square pixels and a key frame every second, unless set otherwise.
        package init(
            width: Int, height: Int, frames: Int, framesPerSecond: Int = 25, rotation: Int = 0, keyInterval: Int = 25
        ) {
            self.width = width
            self.height = height
            self.frames = frames
            self.framesPerSecond = framesPerSecond
            self.rotation = rotation
            self.keyInterval = keyInterval
        }
    }

    /// The file's bytes; `picture` draws each frame by its number, in the film's size.
    ///
    /// A film of no frames is sound alone, so the format must have sound.
    package static func encode(
        _ film: Film, as format: Format, picture: (Int) -> Bitmap
    ) throws(FFmpegError) -> [UInt8] {
        let recipe = Recipe(format, film)
        let muxer = try Muxer.opened(recipe.container, metadata: recipe.metadata)
        let track = film.frames > 0 ? try Track.opened(recipe, film, in: muxer) : nil
        let sound = recipe.hasSound ? try Sound.opened(in: muxer) : nil
        let cover = try muxer.addCover(film)
        try muxer.start(options: recipe.containerOptions)
        if let cover { try muxer.write(cover) }
        try track?.write(film, recipe, into: muxer, picture: picture)
        let seconds = Double(max(film.frames, film.framesPerSecond)) / Double(film.framesPerSecond)
        try sound?.write(seconds: seconds, into: muxer)
        return try muxer.finished()
    }

    /// The moving pictures of a film.
    private struct Track: ~Copyable {
        let encoder: Encoder
        let stream: Int32

        static func opened(
            _ recipe: Recipe, _ film: Film, in muxer: borrowing Muxer
        ) throws(FFmpegError) -> Track {
            let encoder = try Encoder.opened(
                recipe.encoder, recipe.settings(film, hasGlobalHeader: muxer.wantsGlobalHeader))
            let stream = try muxer.add(encoder, tag: recipe.tag, rotation: film.rotation)
            return Track(encoder: encoder, stream: stream)
        }

        func write(
            _ film: Film, _ recipe: Recipe, into muxer: borrowing Muxer, picture: (Int) -> Bitmap
        ) throws(FFmpegError) {
            for number in 0..<film.frames {
                let frame = try recipe.frame(picture(number))
                frame.pointer.pointee.pts = Int64(film.start + number)
                try encoder.send(frame)
                try muxer.drain(encoder, into: stream)
            }
            encoder.finish()
            try muxer.drain(encoder, into: stream)
        }
    }
}
