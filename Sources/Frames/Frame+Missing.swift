import CFFmpeg

extension Frame {
    /// Greys out the parts of a damaged JPEG that the decoder left at zero, which would show as bright green.
    ///
    /// Zero in both colour planes does not occur in real pictures.
    package mutating func greyOutMissing() {
        guard let description = av_pix_fmt_desc_get(format), description.pointee.nb_components == 3,
            description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0, description.pointee.comp.0.depth == 8,
            let luma = pointer.pointee.data.0, let blue = pointer.pointee.data.1, let red = pointer.pointee.data.2,
            av_frame_make_writable(pointer) >= 0
        else { return }
        let step = (
            across: 1 << Int(description.pointee.log2_chroma_w), down: 1 << Int(description.pointee.log2_chroma_h)
        )
        let strides = (Int(pointer.pointee.linesize.0), Int(pointer.pointee.linesize.1))
        for row in 0..<(height + step.down - 1) / step.down {
            for column in 0..<(width + step.across - 1) / step.across {
                let place = row * strides.1 + column
                guard blue[place] == 0, red[place] == 0 else { continue }
                (blue[place], red[place]) = (128, 128)
                for y in row * step.down..<min(height, (row + 1) * step.down) {
                    for x in column * step.across..<min(width, (column + 1) * step.across)
                    where luma[y * strides.0 + x] == 0 {
                        luma[y * strides.0 + x] = 128
                    }
                }
            }
        }
    }
}
