import ObjectStore
import Serving

/// A form that is being received: its fields, and its file as a body of its own.
actor Form {
    private let source: RequestBody
    private var reader: FormReader
    private var events: ArraySlice<FormReader.Event> = []
    /// How many more bytes the file may have.
    private var room: Int64
    private(set) var fields: [String: String] = [:]
    private(set) var file: FormReader.Part?
    private var current: FormReader.Part?
    private var text: [UInt8] = []
    /// How many more bytes the fields may have together, with the names of all parts.
    private var fieldRoom = 4 * fieldLimit
    /// Whether the fields are longer than that: the form is then read to its end and refused.
    private var hasExcess = false

    /// The most bytes of a field.
    private static let fieldLimit = 1 << 20

    /// - Parameter limit: The most bytes of the file.
    init(_ body: RequestBody, boundary: String, limit: Int64) {
        source = body
        reader = FormReader(boundary: boundary)
        room = limit
    }

    /// The file's part, once everything before it has been read; `nil` in a form without one.
    func findFile() async throws -> FormReader.Part? {
        while file == nil || hasExcess, let event = try await event() { take(event) }
        if hasExcess { throw ProtocolRefusal.fieldTooLarge }
        return file
    }

    /// The bytes of the file; after the last of them the fields behind it are known as well.
    nonisolated var content: RequestBody {
        RequestBody(length: nil) { () throws(BodyFailure) in try await self.piece() }
    }

    private func piece() async throws(BodyFailure) -> [UInt8]? {
        do {
            while let event = try await event() {
                guard case .bytes(let bytes) = event, current?.isFile == true else {
                    take(event)
                    continue
                }
                room -= Int64(bytes.count)
                if room >= 0 { return bytes }
            }
        } catch let error as BodyFailure {
            throw error
        } catch {
            throw .lost
        }
        // The whole body is read before the refusal, so that every client receives it.
        if room < 0 || hasExcess { throw .tooLarge }
        return nil
    }

    private func event() async throws -> FormReader.Event? {
        while events.isEmpty {
            var pieces = source.makeAsyncIterator()
            guard let piece = try await pieces.next() else {
                guard reader.isComplete else { throw FormReader.Malformed() }
                return nil
            }
            events = try reader.read(piece)[...]
        }
        return events.removeFirst()
    }

    private func take(_ event: FormReader.Event) {
        switch event {
        case .part(let part):
            current = part
            text = []
            spend(part.name.utf8.count)
            if part.isFile, file == nil { file = part }
        case .bytes(let bytes):
            guard current?.isFile == false else { return }
            spend(bytes.count)
            if !hasExcess { text += bytes }
        case .partEnded:
            if let current, !current.isFile, !hasExcess { fields[current.name] = String(decoding: text, as: UTF8.self) }
            current = nil
        }
    }

    private func spend(_ bytes: Int) {
        fieldRoom -= bytes
        hasExcess = hasExcess || fieldRoom < 0 || text.count + bytes > Self.fieldLimit
    }
}

extension ProtocolRefusal {
    fileprivate static let fieldTooLarge = ProtocolRefusal(
        "EntityTooLarge", 413, error: "Payload too large", "The user_metadata exceeded the maximum allowed size")
}
