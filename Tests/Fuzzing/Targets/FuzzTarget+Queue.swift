import Platform
import Queue

extension FuzzTarget {
    static let queue = [
        FuzzTarget("journal-line", texts: [line, "{\"withdrawn\":\"01JCZZZZZZZZZZZZZZZZZZZZZZ\"}"]) { text in
            guard let change = try? QueueChange(line: text.utf8) else { return nil }
            if case .set(let item) = change {
                _ = item.filePath.components
                if let resume = item.resume { _ = (resume.pieces?.total, resume.pieces?.reaching(resume.offset)) }
            }
            let again = try? QueueChange(line: change.encoded())
            return unless(again == change, "written and read again it is \(again as Any)")
        },
        FuzzTarget("queue-file", texts: [file, "{\"version\":1,\"journal\":0,\"items\":[]}", "{\"version\":2}"]) {
            text in
            guard let file = try? QueueFile(Array(text.utf8)) else { return nil }
            let again = try? QueueFile(file.encoded())
            return unless(again == file, "written and read again it is \(again as Any)")
        },
    ]

    private static let line = """
        {"id":"01JD4Z5T0E5NXJ8RK2W3M4P6Q7","root":"Pictures","path":"2026/IMG_1.jpg","pathBytes":"/w==",\
        "role":"thumbnail-512","contentType":"image/jpeg","size":1000,"sha256":"\(String(repeating: "0", count: 64))",\
        "modifiedAt":"2026-11-20T09:00:00.000000001Z","bucket":"media","objectKey":"Pictures/2026/IMG_1.jpg",\
        "status":"pending","retryCount":1,"blocked":"offline",\
        "lastError":{"code":"http.503","message":"busy","retryable":true},"createdAt":"2026-11-20T09:50:00.000Z",\
        "forcedAt":"2026-11-20T09:49:00.000Z","lastAttemptAt":"2026-11-20T10:00:00.000Z","nextAttemptAt":"2026-11-20T10:00:02.500Z",\
        "completedAt":"2026-11-20T10:00:03.000Z","sent":false,\
        "resume":{"uploadID":"bWVkaWE","createdAt":"2026-11-20T10:00:00.000Z","offset":6291456,"pieces":[[6291456,2]]}}
        """
    private static let file = "{\"version\":1,\"journal\":7,\"items\":[\n\(line),\n\(line)\n]}\n"
}
