import Glibc

extension Terminal {
    /// The next line of `descriptor`, without its end; `nil` at the end of input, or when cancelled.
    ///
    /// Typed characters are not shown if `isHidden`. Reads no byte beyond the line.
    package static func line(of descriptor: Int32, isHidden: Bool = false) async throws -> String? {
        let end = try Wakeup()
        return await withTaskCancellationHandler {
            await Blocking.run {
                guard isHidden else { return line(of: descriptor, until: end) }
                return hidingInput(descriptor) { line(of: descriptor, until: end) }
            }
        } onCancel: {
            end.raise()
        }
    }

    private static func line(of descriptor: Int32, until end: Wakeup) -> String? {
        var bytes: [UInt8] = []
        // A descriptor that cannot be polled or read counts as at its end.
        while (try? end.wait(for: descriptor)) == true {
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { return bytes.isEmpty ? nil : text(bytes) }
            if byte == UInt8(ascii: "\n") { return text(bytes) }
            bytes.append(byte)
        }
        return nil
    }

    private static func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
    }
}
