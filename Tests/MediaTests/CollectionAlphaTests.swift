import CFFmpeg
import CHeif
import Testing

@testable import Frames
@testable import Media

/// The transparency of a HEIF or AVIF is a picture of its own, which may not fit.
@Suite(.serialized) struct CollectionAlphaTests {
    @Test(arguments: [
        (side: Int32(64), bits: Int32(8), format: AV_PIX_FMT_YUVA444P), (63, 8, AV_PIX_FMT_YUV444P),
        (16, 8, AV_PIX_FMT_YUV444P), (64, 10, AV_PIX_FMT_YUV444P),
    ])
    func onlyATransparencyOfThePicturesFormIsUsed(side: Int32, bits: Int32, format: AVPixelFormat) throws {
        var made: OpaquePointer?
        _ = heif_image_create(64, 64, heif_colorspace_YCbCr, heif_chroma_444, &made)
        let image = try #require(made)
        for channel in [heif_channel_Y, heif_channel_Cb, heif_channel_Cr] {
            #expect(heif_image_add_plane(image, channel, 64, 64, 8).code == heif_error_Ok)
        }
        #expect(heif_image_add_plane(image, heif_channel_Alpha, side, side, bits).code == heif_error_Ok)
        #expect(try Frame.wrapping(image).format == format)
    }
}
