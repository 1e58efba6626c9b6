import MediaModel

extension MadeFile {
    /// A small gallery with every format that can be made, every orientation, and typical broken files.
    package static let gallery: [MadeFile] = photos + turned + otherPictures + movies + odd

    private static func photo(_ path: String, _ width: Int, _ height: Int, seed: UInt64, taken: String) -> MadeFile {
        let exif = ExifSegment(takenAt: taken)
        return .picture(path, .jpeg, Picture(width: width, height: height, seed: seed, exif: exif))
    }

    private static let photos = [
        photo("2026/06/IMG_0001.jpg", 4000, 3000, seed: 1, taken: "2026:06:20 10:00:00"),
        photo("2026/06/IMG_0002.jpg", 1920, 1080, seed: 2, taken: "2026:06:20 10:05:00"),
        photo("2026/06/IMG_0003.jpg", 640, 480, seed: 3, taken: "2026:06:21 18:30:00"),
        photo("2026/夏休み/海の朝.jpg", 1600, 1200, seed: 4, taken: "2026:08:12 05:40:00"),
        photo("2026/夏休み/花火 🎆.jpg", 1200, 1600, seed: 5, taken: "2026:08:15 20:15:00"),
    ]

    private static let turned = (1...8).map { number in
        let exif = ExifSegment(orientation: number, takenAt: "2026:07:0\(number) 12:00:00")
        return picture(
            "2026/07 turned/orientation \(number).jpg", .jpeg,
            Picture(width: 800, height: 600, seed: 10, exif: exif))
    }

    private static let otherPictures = [
        picture("Screenshots/screen.png", .png, Picture(width: 1280, height: 800, seed: 21)),
        picture("Screenshots/cut out.png", .png, Picture(width: 640, height: 640, seed: 22, isTransparent: true)),
        picture("Downloads/picture.webp", .webp, Picture(width: 1024, height: 768, seed: 23)),
        picture("Downloads/picture.jxl", .jxl, Picture(width: 1024, height: 768, seed: 24)),
        picture("2026/06/IMG_0006.heic", .heic, Picture(width: 1200, height: 900, seed: 28)),
        picture("Downloads/picture.avif", .avif, Picture(width: 800, height: 600, seed: 29)),
        picture("Scans/page.tiff", .tiff, Picture(width: 900, height: 1200, seed: 25)),
        picture("Scans/old.bmp", .bmp, Picture(width: 320, height: 240, seed: 26)),
        movie(
            "Downloads/loop.gif", .gif, MovieWriter.Film(width: 240, height: 160, frames: 12, framesPerSecond: 10),
            seed: 27),
        movie(
            "Downloads/loop.apng", .apng, MovieWriter.Film(width: 240, height: 160, frames: 8, framesPerSecond: 10),
            seed: 51),
        movie(
            "Downloads/loop.webp", .animatedWebP,
            MovieWriter.Film(width: 240, height: 160, frames: 8, framesPerSecond: 10), seed: 52),
    ]

    private static let clip = MovieWriter.Film(width: 1280, height: 720, frames: 50)
    private static let small = MovieWriter.Film(width: 640, height: 360, frames: 50)

    private static let bright: MovieWriter.Film = {
        var film = MovieWriter.Film(width: 960, height: 540, frames: 25)
        film.transfer = .hlg
        return film
    }()

    private static let movies = [
        movie("2026/06/IMG_0007.mov", .mov, bright, seed: 37),
        movie("2026/06/MOV_0004.mp4", .mp4, clip, seed: 31, fadesIn: true),
        movie(
            "2026/06/IMG_0005.mov", .mov, MovieWriter.Film(width: 1280, height: 720, frames: 50, rotation: 90), seed: 32
        ),
        movie("Downloads/clip.webm", .webm, small, seed: 33),
        movie("Downloads/film.mkv", .mkv, small, seed: 34),
        movie("Camcorder/00001.ts", .ts, small, seed: 35),
        movie("Camcorder/tape.avi", .avi, MovieWriter.Film(width: 640, height: 480, frames: 50), seed: 36),
    ]

    private static let odd = [
        bytes("Odd/empty.jpg", []),
        bytes("Odd/diary.jpg", Array("Dear diary, this text was called a photo.\n".utf8)),
        bytes("Odd/notes.txt", Array("Not media at all.\n".utf8)),
        cut("Odd/cut short.mp4", from: movie("whole.mp4", .mp4, small, seed: 41)),
        cut(
            "Odd/cut short.jpg",
            from: picture("whole.jpg", .jpeg, Picture(width: 1024, height: 768, seed: 42))),
        picture("Odd/really a png.jpg", .png, Picture(width: 400, height: 300, seed: 43)),
    ]
}
