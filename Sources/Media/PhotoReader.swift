import CFFmpeg
import Documents
import Facts
import Frames
import JPEG
import Light
import MediaModel

/// Reads a file that is one coded picture.
enum PhotoReader {
    /// The most bytes of a file that is read whole; the largest camera originals have a quarter of that.
    static let fileLimit: Int64 = 256 << 20

    /// A picture that was halved while decoding must still be this many times larger than the largest thumbnail.
    ///
    /// Below that, thumbnails lose detail compared with ones made from the full size.
    private static let halvingMargin = 1.4

    /// The picture's facts, and the thumbnails before the background of the job.
    static func read(
        _ descriptor: Int32, _ job: MediaJob, decoder name: String, codec: String
    ) throws(FFmpegError) -> (MediaFacts, ThumbnailRenderer.Rendered) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = codec
        let isInParts = job.type == .png ? try DescriptorInput.size(of: descriptor) > PNGOutline.wholeLimit : false
        let packet = try isInParts ? PNGOutline.read(descriptor) : contents(of: descriptor, job)
        var parts = PictureParts(of: packet.buffer, type: job.type)
        var (exif, written) = stated(by: parts, of: job.type)
        if job.type == .png, packet.buffer.isAnimatedPNG, let found = try animation(descriptor, job) {
            facts = found.facts
            facts.add(exif, written, of: descriptor)
            return (facts, ThumbnailRenderer.Rendered(thumbnails: found.thumbnails))
        }
        facts.add(partsOf: parts, in: packet.buffer)
        let picture = try picture(in: packet, parts, by: name, job, inParts: isInParts ? descriptor : nil)
        let (whole, isCertain) = (picture.whole, picture.isCertain)
        let frame = picture.taken()
        if job.type == .png {
            if parts.exif == nil, let block = frame.exifText { exif = ExifFacts(block) }
            (parts.xmp, parts.iptc) = (parts.xmp ?? frame.xmpText, frame.iptcText)
            written = WrittenDates(parts)
        }
        facts.add(exif, written, of: descriptor)
        let (found, rendered) = try describe(frame, of: whole, exif, facts: facts, for: job)
        guard rendered.isOfOneColour, !isCertain, !honest.contains(name) else { return (found, rendered) }
        // Not for inks, because FFmpeg takes those without Adobe's mark for colours.
        let mayKnowMore = hasSecondOpinion.contains(job.type) && JPEGHeader(packet.buffer)?.components != 4
        let other = mayKnowMore ? try secondOpinion(packet, by: name, job) : nil
        guard let other else { return (found.notingOneColour(of: rendered), rendered) }
        let known = other.whole ?? whole
        return try describe(other.taken(), of: known, exif, facts: facts, for: job)
    }

    private static func contents(of descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> Packet {
        let packet = try Packet.contents(of: descriptor, limit: fileLimit)
        return job.type == .svgz ? try Packet.unpacked(packet.buffer) : packet
    }

    /// What EXIF and XMP state about the photo, without what they state about the file that contains it.
    private static func stated(by parts: PictureParts, of type: MediaType) -> (exif: ExifFacts, written: WrittenDates) {
        var exif = ExifFacts(parts.exif ?? [])
        // The codestream's own orientation counts, and its decoder applies it.
        if type == .jxl || type == .jp2 { exif.orientation = nil }
        var written = WrittenDates(parts)
        // A document's own dates are not those of the photo in it.
        if type == .psd { (exif.digitized, exif.changed, written.created) = (nil, nil, nil) }
        return (exif, written)
    }

    /// The best frame of an animated PNG; `nil` if there is none, so that its still picture is shown.
    private static func animation(
        _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (facts: MediaFacts, thumbnails: [Thumbnail])? {
        do throws(FFmpegError) {
            let (facts, thumbnails) = try MovieReader.examine(descriptor, job, demuxers: ["apng"])
            if thumbnails.count == job.specs.count { return (facts, thumbnails) }
        } catch {
            guard !error.isOutOfMemory else { throw error }
        }
        DecoderLog.clear()
        return nil
    }

    /// The formats that a second decoder may read if the first one leaves the picture blank.
    private static let hasSecondOpinion: Set<MediaType> = [.jpeg, .jp2, .exr]

    /// The decoders that never return a blank picture for one that they cannot read.
    private static let honest: Set<String> = [
        "png", "bmp", "ppm", "pcx", "qoi", "xbm", "librsvg", "hdr", "wbmp",
    ]

    /// The other decoder's result, for a picture that is of one colour by the first; `nil` if it fails.
    static func secondOpinion(
        _ packet: borrowing Packet, by name: String, _ job: MediaJob
    ) throws(FFmpegError) -> Decoded? {
        do throws(FFmpegError) {
            guard job.type == .exr else { return Decoded(frame: try decoded(packet, by: name, job)) }
            return try otherEXR(packet, job)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            return nil
        }
    }

    /// Facts about a picture whose frame may be smaller, because it was shrunk while it was decoded.
    struct Whole {
        let width: Int
        let height: Int
        var orientation: Orientation?
        /// Whether the background has been put behind its transparent parts already.
        var isLaid = false
    }

    /// A decoded picture, and what its decoder did to it.
    struct Decoded: ~Copyable {
        let frame: Frame
        var whole: Whole?
        /// Whether its decoder never returns a blank picture for one that it cannot read.
        var isCertain = false

        /// The frame alone.
        consuming func taken() -> Frame { frame }
    }

    private static func picture(
        in packet: borrowing Packet, _ parts: PictureParts, by name: String, _ job: MediaJob, inParts descriptor: Int32?
    ) throws(FFmpegError) -> Decoded {
        switch job.type {
        case .jpeg: return try jpeg(packet, job)
        case .jp2: return try jpeg2000(packet, job)
        case .jxl: return try jpegXL(packet, job)
        case .png:
            if let picture = try PNGPicture.decoded(packet.buffer, inParts: descriptor, job) {
                let whole = Whole(width: picture.width, height: picture.height, isLaid: picture.showsBackground)
                return Decoded(frame: picture.taken(), whole: whole)
            }
        case .webp:
            if let animation = try AnimatedWebP.opened(packet.buffer, limits: job.limits) {
                return Decoded(frame: try animation.meaningfulFrame())
            }
        case .psd: return try photoshop(parts.document, job)
        case .tga:
            let frame = try decoded(packet, by: name, job)
            frame.correctGrey(ofTarga: packet.buffer)
            return Decoded(frame: frame)
        case .bmp: return Decoded(frame: try bitmap(packet, job))
        case .dds: return Decoded(frame: try texture(packet, by: name, job))
        case .pcx: return Decoded(frame: try paintbrush(packet, by: name, job))
        case .radiance: return try light(RadiancePicture(packet.buffer), job)
        case .pnm: return try netpbm(packet, by: name, job)
        case .xpm: return Decoded(frame: try pixmap(packet, by: name, job))
        case .wbmp:
            guard let frame = try Frame.wireless(packet.buffer, maxPixels: job.limits.maxPixels) else {
                throw FFmpegError(call: "WBMP", code: cffmpeg_error_invalid_data)
            }
            return Decoded(frame: frame)
        case .qoi, .sunRaster:
            let frame = try decoded(packet, by: name, job)
            if DecoderLog.lastError == nil, let rows = MissingRows(packet.buffer, job.type) {
                DecoderLog.keep(rows.words)
            }
            return Decoded(frame: frame)
        case .icon: return Decoded(frame: try icon(packet, job))
        case .pict: return Decoded(frame: try quickDraw(packet, by: name, job))
        case .svg, .svgz: return try drawing(packet, by: name, job)
        case .exr: return try openEXR(packet, job)
        default: break
        }
        return Decoded(frame: try decoded(packet, by: name, job))
    }

    /// A document's merged picture, or its preview if it was saved without one.
    private static func photoshop(_ document: PhotoshopDocument?, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        guard let document else { throw FFmpegError(call: "PSD", code: cffmpeg_error_invalid_data) }
        let whole = Whole(width: document.width, height: document.height)
        if let preview = try preview(of: document, job) { return Decoded(frame: preview, whole: whole) }
        let frame = try PhotoshopPicture.frame(
            of: document, longSide: job.longSide, maxPixels: job.limits.maxPixels)
        return Decoded(frame: frame, whole: whole)
    }

    private static func halvings(_ header: (any ShrinkableHeader)?, _ job: MediaJob) -> Int {
        header?.halvings(for: job.longSide, margin: halvingMargin) ?? 0
    }

    /// A JPEG by our own decoder, else by FFmpeg or libjpeg.
    static func jpeg(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        let header = JPEGHeader(packet.buffer)
        let whole = header.map { Whole(width: $0.width, height: $0.height) }
        let halvings = halvings(header, job)
        let maxPixels = job.limits.maxPixels
        if header != nil, let frame = try ShrunkJPEG.frame(of: packet.buffer, halvings: halvings, maxPixels: maxPixels)
        {
            return Decoded(frame: frame, whole: whole, isCertain: true)
        }
        // Inks are left to libjpeg, because FFmpeg ignores their profiles.
        if header?.components == 4,
            let frame = try JPEGRows.picture(in: packet.buffer, halvings: halvings, maxPixels: maxPixels)
        {
            return Decoded(frame: frame, whole: whole)
        }
        let first: Result<Frame, FFmpegError>
        var isShown = false
        do throws(FFmpegError) {
            // FFmpeg refuses to halve a lossless picture.
            let options = Decoder.Options(maxPixels: maxPixels, halvings: header?.isLossless == true ? 0 : halvings)
            first = .success(try decoded(packet, by: "mjpeg", options: options))
            isShown = true
        } catch {
            guard !error.isOutOfMemory else { throw error }
            first = .failure(error)
        }
        let words = DecoderLog.lastError
        if isShown, words == nil {
            if packet.buffer.endsBeforeScan { DecoderLog.keep("the file ends before its picture begins") }
            return Decoded(frame: try first.get(), whole: whole)
        }
        // libjpeg continues after damage, perhaps silently, whereas FFmpeg leaves out the rest.
        if let frame = try JPEGRows.picture(in: packet.buffer, halvings: halvings, maxPixels: maxPixels) {
            if isShown, DecoderLog.lastError == nil, let words { DecoderLog.keep(words) }
            return Decoded(frame: frame, whole: whole)
        }
        if let words { DecoderLog.keep(words) }
        return Decoded(frame: try first.get(), whole: whole)
    }

    /// A JPEG 2000, decoded by OpenJPEG in half of FFmpeg's time, else by FFmpeg, which knows the colours of cinemas.
    private static func jpeg2000(_ packet: borrowing Packet, _ job: MediaJob) throws(FFmpegError) -> Decoded {
        let header = JPEG2000Header(packet.buffer)
        // A picture halved by its wavelet is as sharp as a scaled one, so no margin is needed.
        let halvings = header?.halvings(for: job.longSide, margin: 1) ?? 0
        let whole = header.map { Whole(width: $0.width, height: $0.height) }
        let maxPixels = job.limits.maxPixels
        if header?.isCinematic != true {
            do throws(FFmpegError) {
                let decoder = try JPEG2000Decoder.decoded(packet.buffer, halvings: halvings, maxPixels: maxPixels)
                if let frame = try decoder.frame() {
                    return Decoded(frame: frame, whole: whole)
                }
            } catch {
                guard !error.isOutOfMemory else { throw error }
            }
            // OpenJPEG's refusal is no sign of damage if FFmpeg can read the file.
            DecoderLog.clear()
        }
        do throws(FFmpegError) {
            let options = Decoder.Options(maxPixels: maxPixels, halvings: halvings)
            return Decoded(frame: try decoded(packet, by: "jpeg2000", options: options), whole: whole)
        } catch {
            guard halvings > 0, !error.isOutOfMemory else { throw error }
        }
        DecoderLog.clear()
        return Decoded(frame: try decoded(packet, by: "jpeg2000", options: Decoder.Options(maxPixels: maxPixels)))
    }

    /// The picture in `packet`, by FFmpeg's decoder of that name.
    static func decoded(_ packet: borrowing Packet, by name: String, _ job: MediaJob) throws(FFmpegError) -> Frame {
        try decoded(packet, by: name, options: Decoder.Options(maxPixels: job.limits.maxPixels))
    }

    static func decoded(
        _ packet: borrowing Packet, by name: String, options: Decoder.Options
    ) throws(FFmpegError) -> Frame {
        let decoder = try Decoder.opened(name, options: options)
        try decoder.send(packet)
        decoder.finish()
        guard let frame = try decoder.receive() else {
            throw FFmpegError(call: "avcodec_receive_frame", code: cffmpeg_error_invalid_data)
        }
        return frame
    }

    /// The facts of the picture, and the thumbnails made of it.
    static func describe(
        _ frame: consuming Frame, of whole: Whole? = nil, _ exif: ExifFacts, facts: MediaFacts, for job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, ThumbnailRenderer.Rendered) {
        var facts = facts
        if facts.type == .jpeg, DecoderLog.lastError != nil { frame.greyOutMissing() }
        // Grey photos use the full range, which their decoders do not state.
        if frame.isGrey { frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG }
        if let words = DecoderLog.lastError { facts.notes.append("Damaged: \(words)") }
        // EXIF pictures are shown with square pixels whatever their density says.
        let shape = Shape(
            width: whole?.width ?? frame.width, height: whole?.height ?? frame.height, pixelAspect: 1,
            orientation: whole?.orientation ?? exif.orientation ?? frame.displayMatrix ?? .upright)
        facts.show(shape)
        facts.hdr = frame.hdr
        let rendered = try ThumbnailRenderer.rendered(
            frame, shownAs: shape, for: job, space: exif.isAdobeRGB ? .adobeRGB : nil,
            isLaid: whole?.isLaid ?? false)
        facts.add(rendered)
        return (facts, rendered)
    }

    /// A picture that a container carries, such as the cover of an audio file.
    static func thumbnails(
        ofAttachedPictureIn stream: Stream, _ job: MediaJob
    ) throws(FFmpegError) -> ThumbnailRenderer.Rendered {
        guard let name = stream.decoder else {
            throw FFmpegError(call: stream.codecName, code: cffmpeg_error_no_decoder)
        }
        let packet = try Packet()
        try FFmpegError.check(av_packet_ref(packet.pointer, &stream.pointer.pointee.attached_pic), "av_packet_ref")
        let frame = try decoded(packet, by: name, job)
        let shape = Shape(width: frame.width, height: frame.height, pixelAspect: 1, orientation: .upright)
        return try ThumbnailRenderer.rendered(frame, shownAs: shape, for: job)
    }
}

extension MediaFacts {
    /// Adds what lies beside the picture, such as a gain map or a clip, and notes on what cannot be shown.
    fileprivate mutating func add(partsOf parts: PictureParts, in bytes: UnsafeBufferPointer<UInt8>) {
        if parts.document?.lacksPicture == true {
            notes.append("The document was saved without its merged picture; its small preview is shown")
        }
        if parts.hasGainMap(bytes) { noteGainMap() }
        if type.isDrawing, !DocumentFonts.prepare(), bytes.place(of: Array("<text".utf8)) != nil {
            notes.append("Text in it is not drawn: this computer has none of the fonts for it")
        }
        if type == .jpeg { addClip(parts, in: bytes) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether an animation control chunk comes before the picture's data (PNG 3rd edition, 11.3.6).
    ///
    /// `false` for one of 16 bits, because FFmpeg does not blend its frames: its still picture is shown instead.
    fileprivate var isAnimatedPNG: Bool {
        count > 24 && self[24] < 16
            && PNGChunks(self).first { $0.isNamed("acTL") || $0.isNamed("IDAT") }?.isNamed("acTL") == true
    }
}
