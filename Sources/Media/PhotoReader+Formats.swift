import CFFmpeg
import EXR
import Facts
import Frames
import JXL
import Light
import MediaModel

// Formats that are read in a way of their own.
extension PhotoReader {
    /// The preview of a document that was saved without its merged picture; `nil` if there is no readable one.
    static func preview(of document: PhotoshopDocument, _ job: MediaJob) throws(FFmpegError) -> Frame? {
        guard document.lacksPicture, let preview = document.preview else { return nil }
        do throws(FFmpegError) {
            return try decoded(try Packet.copy(of: Array(preview)), by: "mjpeg", job)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            DecoderLog.clear()
            return nil
        }
    }

    /// A picture of light, as a screen shows it.
    static func light(_ picture: (any LightPicture)?, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        guard let picture, let frame = try picture.frame(longSide: job.longSide, maxPixels: job.limits.maxPixels) else {
            throw FFmpegError(call: "light", code: cffmpeg_error_invalid_data)
        }
        let whole = Whole(width: picture.width, height: picture.height, orientation: picture.orientation)
        return Decoded(frame: frame, whole: whole)
    }

    /// An OpenEXR file, whose pixels are linear light; whatever is brighter than white is shown as white.
    ///
    /// Decoded by FFmpeg, or by OpenEXR's own library if FFmpeg refuses, as for colour differences or a single colour.
    static func openEXR(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        let maxPixels = job.limits.maxPixels
        do throws(FFmpegError) {
            let options = Decoder.Options(maxPixels: maxPixels, own: [("apply_trc", "iec61966_2_1")])
            let frame = try decoded(packet, by: "exr", options: options)
            keepWordsOfMissingRows(EXRPicture(packet.buffer, maxPixels: maxPixels))
            return Decoded(frame: frame)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            let words = DecoderLog.lastError
            DecoderLog.clear()
            if let picture = try otherEXR(packet, job) { return picture }
            if let words { DecoderLog.keep(words) }
            throw error
        }
    }

    /// An OpenEXR file, decoded by OpenEXR's own library; `nil` if it refuses.
    static func otherEXR(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Decoded? {
        let picture = EXRPicture(packet.buffer, maxPixels: job.limits.maxPixels)
        // Forgets what the library said of parts and properties that are not needed.
        DecoderLog.clear()
        guard let picture else { return nil }
        return try light(picture, job)
    }

    /// Logs how many rows are missing, because FFmpeg silently leaves them black.
    private static func keepWordsOfMissingRows(_ picture: EXRPicture?) {
        guard let picture else { return }
        let said = DecoderLog.lastError
        let rows = picture.rowsThere
        DecoderLog.clear()
        if let said { DecoderLog.keep(said) }
        // If no row is found, the table of offsets may be missing, which FFmpeg does not need.
        if rows > 0, rows < picture.dataHeight { DecoderLog.keep("\(rows) of \(picture.dataHeight) rows are there") }
    }

    /// A JPEG XL, decoded by libjxl, with the orientation that its codestream states.
    static func jpegXL(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        let picture = try JXLPicture.decoded(
            packet.buffer, longSide: job.longSide, maxPixels: job.limits.maxPixels,
            background: job.background)
        let whole = Whole(
            width: picture.width, height: picture.height, orientation: picture.orientation,
            isLaid: picture.showsBackground)
        return Decoded(frame: picture.taken(), whole: whole)
    }

    /// A drawing, drawn as large as the largest thumbnail, because the time to draw grows with the pixels.
    static func drawing(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        do throws(FFmpegError) {
            return try drawn(packet, by: name, Decoder.Options(maxPixels: job.longSide * job.longSide))
        } catch {
            guard !error.isOutOfMemory else { throw error }
            let size = DecoderLog.refusedSize
            DecoderLog.clear()
            // A little below the limit FFmpeg refuses a drawing without its size, because it allocates longer rows.
            guard let size else { return try drawn(packet, by: name, Decoder.Options(maxPixels: job.limits.maxPixels)) }
            let small = Shape(width: size.width, height: size.height, pixelAspect: 1, orientation: .upright)
                .fitted(into: job.longSide).stored
            let own = [("width", "\(small.width)"), ("height", "\(small.height)")]
            let options = Decoder.Options(maxPixels: job.limits.maxPixels, own: own)
            return try drawn(packet, by: name, options, whole: Whole(width: size.width, height: size.height))
        }
    }

    private static func drawn(
        _ packet: borrowing Packet, by name: String, _ options: Decoder.Options, whole: Whole? = nil
    ) throws(FFmpegError) -> Decoded {
        let frame = try decoded(packet, by: name, options: options)
        frame.divideByAlpha()
        return Decoded(frame: frame, whole: whole)
    }

    /// The largest picture of an icon.
    static func icon(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Frame {
        guard let entry = IconFile(packet.buffer)?.largest else {
            if let frame = try OS2Picture(packet.buffer)?.frame(maxPixels: job.limits.maxPixels) { return frame }
            throw FFmpegError(call: "ICO", code: cffmpeg_error_invalid_data)
        }
        if let png = entry.png { return try decoded(try Packet.copy(of: png), by: "png", job) }
        guard let frame = try entry.frame(maxPixels: job.limits.maxPixels) else {
            throw FFmpegError(call: "ICO", code: cffmpeg_error_invalid_data)
        }
        return frame
    }

    /// A BMP, decoded by FFmpeg, or by us if FFmpeg refuses its bits for each colour, or its kind.
    static func bitmap(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Frame {
        if let file = BMPPicture.file(ofBare: packet.buffer) { return try bitmap(try Packet.copy(of: file), job) }
        return try decoded(packet, by: "bmp", job) { file throws(FFmpegError) in
            if let array = OS2Picture(file) { return try array.frame(maxPixels: job.limits.maxPixels) }
            return try BMPPicture(file)?.frame(maxPixels: job.limits.maxPixels)
        }
    }

    /// A texture, decoded by FFmpeg, or by us if FFmpeg does not know its masks.
    static func texture(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Frame {
        try decoded(packet, by: name, job) { file throws(FFmpegError) in
            try DDSPicture(file)?.frame(maxPixels: job.limits.maxPixels)
        }
    }

    /// A PCX, decoded by FFmpeg, or by us if it has alpha, which FFmpeg does not know; one that was cut is filled up.
    static func paintbrush(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Frame {
        try decoded(packet, by: name, job) { file throws(FFmpegError) in
            guard let picture = PCXFile(file) else { return nil }
            if let frame = try picture.transparentFrame(maxPixels: job.limits.maxPixels) { return frame }
            guard let filled = picture.filled else { return nil }
            let frame = try decoded(try Packet.copy(of: filled.bytes), by: name, job)
            DecoderLog.keep(filled.words)
            return frame
        }
    }

    /// One of Netpbm's formats: a map of light by us, others by FFmpeg.
    static func netpbm(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        if let map = FloatMap(packet.buffer) { return try light(map, job) }
        let frame = try decoded(packet, by: name, job)
        frame.spreadSamples(ofPAM: packet.buffer)
        return Decoded(frame: frame)
    }

    /// An XPM, in which FFmpeg does not know all names of colours.
    static func pixmap(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Frame {
        guard let text = XPMGreys.spelled(in: packet.buffer) else { return try decoded(packet, by: name, job) }
        return try decoded(try Packet.copy(of: text), by: name, job)
    }

    /// A PICT, which FFmpeg calls damaged if it is drawn by other commands than the few that FFmpeg knows.
    static func quickDraw(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Frame {
        try decoded(packet, by: name, job) { file throws(FFmpegError) in
            // With the last command the file is whole.
            guard file.suffix(2).elementsEqual([0x00, 0xFF]) else { return nil }
            throw .unknownForm("PICT")
        }
    }

    /// The picture decoded by FFmpeg's decoder of that name, or by `ours` if that decoder refuses.
    private static func decoded(
        _ packet: borrowing Packet, by name: String, _ job: MediaJob,
        else ours: (UnsafeBufferPointer<UInt8>) throws(FFmpegError) -> Frame?
    ) throws(FFmpegError) -> Frame {
        do throws(FFmpegError) {
            return try decoded(packet, by: name, job)
        } catch {
            // Words of its own, as for a size, are no matter of the decoder.
            guard !error.isOutOfMemory, error.words == nil else { throw error }
            let words = DecoderLog.lastError
            // FFmpeg's refusal is no sign of damage if we can read the file.
            DecoderLog.clear()
            if let frame = try ours(packet.buffer) { return frame }
            if let words { DecoderLog.keep(words) }
            throw error
        }
    }
}
