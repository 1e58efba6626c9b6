import FoundationEssentials
import Output
import Platform
import Reporting

/// The report as a page on disk, with a folder of pictures beside it if it shows many.
struct StatusPage {
    let report: Report
    let path: FilePath

    /// Writes the pictures, then the page; throws `OutputTaken` if something else has one of the names.
    func write() throws {
        let folder = report.recent.count > HTMLReport.inlineLimit ? folderName : nil
        let page = HTMLReport(report, folder: folder?.display)
        let file = OutputFile(path: path, mark: Array(HTMLReport.mark.utf8), kind: "page")
        try file.checkFolder()
        if let folder { try write(page.pictures, into: path.parent.appending(folder)) }
        try file.write(Array(page.text.utf8))
    }

    private func write(_ pictures: [(name: String, bytes: Data)], into folder: FilePath) throws {
        try Directory.create(at: folder)
        let files = pictures.map { picture in
            let format = HTMLReport.format(of: picture.bytes)
            return (
                MarkedPicture.file(folder.appending(FilePath(picture.name)), format, kind: "picture"),
                MarkedPicture.bytes(of: Array(picture.bytes), format)
            )
        }
        for (file, _) in files { try file.check() }
        for (file, bytes) in files { try file.write(bytes) }
    }

    /// The folder of pictures, such as `report-pictures` for `report.html`.
    private var folderName: FilePath {
        FilePath(bytes: path.name.dropLast(path.fileExtension.count) + Array("-pictures".utf8))
    }
}
