import CFFmpeg
import CPoppler
package import Frames
import Glibc

/// The first page of a PDF document, drawn by Poppler.
package struct PDFPage: ~Copyable {
    /// Why there is no page to draw.
    package enum Refusal: Error {
        /// Poppler finds no document in the bytes.
        case damaged
        /// The document is encrypted, and only a password opens it.
        case locked
        /// The document has no pages.
        case empty
        /// Memory was refused.
        case outOfMemory
    }

    private let document: OpaquePointer

    /// Opens the first page; call it within `PopplerLog.ofOneDocument` to learn what Poppler says about the document.
    ///
    /// - Parameter bytes: The file, which must outlive this page.
    package static func first(of bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) -> PDFPage {
        DocumentFonts.prepare()
        guard let start = bytes.baseAddress, bytes.count <= Int(Int32.max) else { throw .damaged }
        var document: OpaquePointer?
        let end = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            cpoppler_open($0, Int32(bytes.count), &document)
        }
        if let refusal = Refusal(end) { throw refusal }
        guard let document else { throw .damaged }
        return PDFPage(document: document)
    }

    private init(document: OpaquePointer) {
        self.document = document
    }

    deinit { cpoppler_close(document) }

    /// Points of 1/72 inch, as the page is shown.
    package var width: Int { Self.whole(cpoppler_width(document)) }
    /// Points of 1/72 inch, as the page is shown.
    package var height: Int { Self.whole(cpoppler_height(document)) }

    /// The document's XMP; empty without any.
    package var metadata: [UInt8] {
        guard let text = cpoppler_metadata(document) else { return [] }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// How much larger a page is drawn, because Poppler rounds places and averages of pictures to whole pixels.
    private static let margin = 2.0

    /// The page on white, upright, and twice as large as a thumbnail of `longSide`.
    package func drawn(for longSide: Int) throws(FFmpegError) -> Frame {
        let (width, height) = (cpoppler_width(document), cpoppler_height(document))
        let scale = Double(longSide) * Self.margin / max(width, height)
        let frame = try Frame.blank(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())),
            format: AV_PIX_FMT_RGB24)
        let end = cpoppler_draw(
            document, Int32(frame.width), Int32(frame.height), frame.pointer.pointee.data.0,
            Int(frame.pointer.pointee.linesize.0))
        guard Int(end) == cpoppler_done else {
            let isOfMemory = Int(end) == cpoppler_no_memory
            throw FFmpegError(
                call: "Poppler", code: isOfMemory ? cffmpeg_error_out_of_memory : cffmpeg_error_invalid_data)
        }
        return frame
    }

    private static func whole(_ points: Double) -> Int { max(1, Int(min(points, 1e9).rounded())) }
}

extension PDFPage.Refusal {
    fileprivate init?(_ end: Int32) {
        switch Int(end) {
        case cpoppler_done: return nil
        case cpoppler_locked: self = .locked
        case cpoppler_empty: self = .empty
        case cpoppler_no_memory: self = .outOfMemory
        default: self = .damaged
        }
    }
}
