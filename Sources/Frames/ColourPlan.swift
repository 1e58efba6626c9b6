package import CFFmpeg
package import MediaModel

/// How to convert a frame's colours to sRGB.
package enum ColourPlan: ~Copyable {
    /// The colours are sRGB already, or nothing says otherwise.
    case asTheyAre
    case transformed(ColourTransform)
    case toneMapped(ToneMap)

    /// Decided by the picture's HDR transfer, else its profile, else its primaries.
    ///
    /// - Parameter space: The space that EXIF states; used if the picture itself states none.
    package init(for frame: borrowing Frame, space: ColourSpace? = nil) {
        let primaries = frame.pointer.pointee.color_primaries
        if let transfer = frame.hdr {
            // HDR whose primaries are not stated has those of BT.2020, as BT.2100 says.
            let isStated = primaries != AVCOL_PRI_UNSPECIFIED && primaries != AVCOL_PRI_RESERVED0
            let own = ColourSpace(primaries) ?? (isStated ? nil : .bt2020)
            self = .toneMapped(ToneMap(transfer, space: own))
        } else if let transform = frame.profileTransform ?? (ColourSpace(primaries) ?? space).flatMap(Self.transform),
            !transform.isIdentity
        {
            self = .transformed(transform)
        } else {
            self = .asTheyAre
        }
    }

    private static func transform(_ space: ColourSpace) -> ColourTransform? { ColourTransform(space) }

    /// Whether a byte for each colour is exact enough.
    package var isOfBytes: Bool {
        switch self {
        case .asTheyAre: true
        case .transformed: true
        case .toneMapped: false
        }
    }

    /// A JFIF frame of sRGB of the same size as `frame`.
    package func standard(_ frame: consuming Frame) throws(FFmpegError) -> Frame {
        switch self {
        case .asTheyAre:
            if frame.format == AV_PIX_FMT_YUV420P, frame.isJFIF { return frame.renamed(AV_PIX_FMT_YUVJ420P) }
            // From red, green and blue, scaled.
            if frame.format == AV_PIX_FMT_YUVJ444P { return try Self.economical(frame) }
            return try Self.coded(frame)
        case .transformed(let transform):
            let coloured = try Self.converted(frame, to: AV_PIX_FMT_RGB24)
            transform.apply(to: coloured)
            return try Self.coded(coloured)
        case .toneMapped(let map):
            let mapped = try map.applied(to: try Self.converted(frame, to: AV_PIX_FMT_RGB48LE))
            return try Self.coded(mapped)
        }
    }

    /// The frame with halved colour resolution, which photos can bear; whole if a drawing's colours would bleed.
    private static func coded(_ frame: borrowing Frame) throws(FFmpegError) -> Frame {
        if Scaler.isRGB(frame.format) {
            return try economical(
                try Scaler.jpegFrame(
                    from: frame, width: frame.width, height: frame.height, format: AV_PIX_FMT_YUVJ444P))
        }
        return try Scaler.jpegFrame(from: frame, width: frame.width, height: frame.height)
    }

    private static func economical(_ whole: consuming Frame) throws(FFmpegError) -> Frame {
        if whole.needsWholeColours { return whole }
        return try Scaler.jpegFrame(from: whole, width: whole.width, height: whole.height)
    }

    private static func converted(_ frame: borrowing Frame, to format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let target = Scaler.Target(width: frame.width, height: frame.height, format: format)
        return try Scaler.convert(frame, to: target, flags: Scaler.exact)
    }
}

extension Frame {
    /// Its HDR transfer function; `nil` for ordinary pictures.
    package var hdr: HDRTransfer? { HDRTransfer(pointer.pointee.color_trc) }

    /// The transform from the embedded ICC profile; `nil` without one.
    fileprivate var profileTransform: ColourTransform? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) else { return nil }
        let profile = UnsafeBufferPointer(start: UnsafePointer(side.pointee.data), count: Int(side.pointee.size))
        return ColourTransform(profile: profile, isGrey: isGrey)
    }

    /// Whether it has brightness only.
    package var isGrey: Bool {
        guard let description = av_pix_fmt_desc_get(format) else { return false }
        return description.pointee.nb_components <= 2 && format != AV_PIX_FMT_PAL8
    }

    /// Whether it has full range and BT.601's matrix, as JFIF requires.
    fileprivate var isJFIF: Bool {
        pointer.pointee.color_range == AVCOL_RANGE_JPEG && pointer.pointee.colorspace == AVCOL_SPC_SMPTE170M
    }

    /// The same samples, labelled with another format.
    fileprivate consuming func renamed(_ format: AVPixelFormat) -> Frame {
        pointer.pointee.format = format.rawValue
        return self
    }
}

extension HDRTransfer {
    /// `nil` for an ordinary curve.
    package init?(_ transfer: AVColorTransferCharacteristic) {
        switch transfer {
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: return nil
        }
    }
}
