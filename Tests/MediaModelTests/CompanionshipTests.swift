import Testing

@testable import MediaModel

@Suite struct CompanionshipTests {
    @Test(
        arguments: [
            ("IMG_1.HEIC", "IMG_1.MOV", .livePhoto), ("IMG_1.jpg", "IMG_1.mov", .livePhoto),
            ("IMG_1.HEIC", "IMG_2.MOV", nil), ("IMG_1.HEIC", "IMG_1.mp4", nil), ("IMG_1.MOV", "IMG_1.HEIC", nil),
            ("IMG_1.CR2", "IMG_1.xmp", .sidecar), ("IMG_1.CR2", "IMG_1.CR2.xmp", .sidecar),
            ("clip.mp4", "clip.XMP", .sidecar), ("IMG_1.CR2", "img_1.xmp", nil), ("notes.txt", "notes.xmp", nil),
            ("IMG_1.HEIC", "IMG_1.AAE", .sidecar), ("IMG_1.CR2", "IMG_1.CR2.pp3", .sidecar),
            (".HEIC", ".MOV", nil), ("", "", nil), ("a.", "a.xmp", nil),
            ("a.xmp", "a.xmp.xmp", nil),
        ] as [(String, String, Companionship?)])
    func filesBelongTogetherByTheirNames(name: String, other: String, companionship: Companionship?) {
        #expect(Companionship(of: Array(other.utf8), to: Array(name.utf8)) == companionship)
    }
}
