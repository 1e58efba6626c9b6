import Formats
import Glibc
package import Platform

/// The program with which the user looks at folders.
package protocol FileBrowsing: Sendable {
    /// Whether there is such a program to ask.
    func isThere() async -> Bool
    /// Asks it to show these files, given by absolute paths, each selected in its folder; returns whether it agreed.
    func show(_ files: [FilePath]) async -> Bool
}

/// The desktop's file manager, by `org.freedesktop.FileManager1` of the session bus.
///
/// Each question opens a connection of its own, because a connection belongs to one thread and questions are rare.
package struct BusFileBrowser: FileBrowsing {
    private static let place = BusPlace(
        service: "org.freedesktop.FileManager1", path: "/org/freedesktop/FileManager1",
        interface: "org.freedesktop.FileManager1")
    /// How long an answer may take: the service may have to start.
    private static let patience = Duration.seconds(5)

    /// The address of the bus; `nil` for the session's.
    private let address: String?

    /// The file manager of this user's session.
    package init() { self.init(at: nil) }

    /// The file manager on the bus at `address`.
    init(at address: String?) { self.address = address }

    /// Whether one runs, or can be started by the bus.
    package func isThere() async -> Bool {
        await Blocking.run {
            guard let bus = BusConnection(.session, at: address) else { return false }
            return ["ListActivatableNames", "ListNames"].contains { list in
                Self.answer(of: bus, to: bus.call(.bus, list))?.texts().contains(Self.place.service) ?? false
            }
        }
    }

    /// Asks for `ShowItems`, which selects the files.
    package func show(_ files: [FilePath]) async -> Bool {
        let addresses = files.map { "file://" + PercentEncoding.file.encoded($0.bytes) }
        return await Blocking.run {
            guard let bus = BusConnection(.session, at: address) else { return false }
            let call = bus.call(Self.place, "ShowItems", [.texts(addresses), .text("")], isStarting: true)
            return Self.answer(of: bus, to: call).map { !$0.isError } ?? false
        }
    }

    /// The message that answers a call; `nil` where none comes in time.
    private static func answer(of bus: BusConnection, to call: UInt64?) -> BusMessage? {
        guard let call else { return nil }
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            switch bus.next() {
            case .message(let message): if message.answered == call { return message }
            case .disconnected: return nil
            case .idle:
                var source = [bus.poll]
                _ = poll(&source, 1, 100)
            }
        }
        return nil
    }
}
