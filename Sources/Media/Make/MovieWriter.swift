import CFFmpeg

/// Encodes frames as a whole video file, or as an animated picture.
package enum MovieWriter {
    /// Container and coding, as cameras, phones and browsers pair them.
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
    }

    /// What a film is like apart from its frames.
    package struct Film: Sendable {
        package var width: Int
        package var height: Int
        package var frames: Int
        package var framesPerSecond: Int
        /// Degrees clockwise that a player is to turn it: 0, 90, 180 or 270.
        package var rotation: Int
        /// Frames from one key frame to the next.
        package var keyInterval: Int
        /// Width of a pixel over its height, as numerator and denominator.
        package var pixelAspect = (1, 1)

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

    /// The file's bytes; `picture` draws the frame of each number, in the film's size.
    package static func encode(
        _ film: Film, as format: Format, picture: (Int) -> Bitmap
    ) throws(FFmpegError) -> [UInt8] {
        let recipe = Recipe(format)
        let muxer = try Muxer.opened(recipe.container, metadata: recipe.metadata)
        let encoder = try Encoder.opened(
            recipe.encoder, recipe.settings(film, hasGlobalHeader: muxer.wantsGlobalHeader))
        let stream = try muxer.add(encoder, tag: recipe.tag, rotation: film.rotation)
        let sound = recipe.hasSound ? try Sound.opened(in: muxer) : nil
        try muxer.start(options: recipe.containerOptions)
        for number in 0..<film.frames {
            let frame = try recipe.frame(picture(number))
            frame.pointer.pointee.pts = Int64(number)
            try encoder.send(frame)
            try muxer.drain(encoder, into: stream)
        }
        encoder.finish()
        try muxer.drain(encoder, into: stream)
        try sound?.write(seconds: Double(film.frames) / Double(film.framesPerSecond), into: muxer)
        return try muxer.finished()
    }
}
