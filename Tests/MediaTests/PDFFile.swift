/// Writes PDF documents of one page, object by object.
struct PDFFile {
    /// The page's box in points, as it is written.
    var box = "0 0 300 200"
    /// What stands in the page beside its box and its contents, such as `/Rotate 90`.
    var page = ""
    /// What stands in the catalog beside the pages.
    var catalog = ""
    /// What stands in the trailer beside the root.
    var trailer = ""
    /// What is drawn.
    var contents = ""
    /// Further objects, from number 5 on: what stands before the stream, and the stream, if it is one.
    var objects: [(head: String, stream: [UInt8]?)] = []
    /// Whether the table at the end, by which readers find the objects, is there.
    var hasTable = true
    /// Whether there is a page at all.
    var hasPage = true

    /// The file's bytes (ISO 32000-2, 7.5).
    var bytes: [UInt8] {
        let pages = hasPage ? "/Kids [3 0 R] /Count 1" : "/Kids [] /Count 0"
        let all: [(head: String, stream: [UInt8]?)] =
            [
                ("/Type /Catalog /Pages 2 0 R \(catalog)", nil), ("/Type /Pages \(pages)", nil),
                ("/Type /Page /Parent 2 0 R /MediaBox [\(box)] /Contents 4 0 R \(page)", nil),
                ("", Array(contents.utf8)),
            ] + objects
        var file = Array("%PDF-1.7\n".utf8)
        var places: [Int] = []
        for (index, object) in all.enumerated() {
            places.append(file.count)
            let length = object.stream.map { "/Length \($0.count)" } ?? ""
            file += "\(index + 1) 0 obj << \(object.head) \(length) >>\n".utf8
            if let stream = object.stream { file += "stream\n".utf8 + stream + "\nendstream\n".utf8 }
            file += "endobj\n".utf8
        }
        let head = "trailer << /Root 1 0 R /Size \(all.count + 1) \(trailer) >>\n"
        guard hasTable else { return file + head.utf8 }
        let table = file.count
        file += "xref\n0 \(all.count + 1)\n0000000000 65535 f \n".utf8
        for place in places {
            let digits = String(place)
            file += "\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8
        }
        return file + "\(head)startxref\n\(table)\n%%EOF\n".utf8
    }
}
