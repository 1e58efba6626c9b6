package import Configuration
package import Platform
import Roots
import Supabase
package import Sync
import Text

/// The meaning of an answer, or the reason why it is not accepted.
package enum SetUpReading<Value> {
    case taken(Value)
    case refused(String)

    /// The same reading with its value converted.
    package func map<Other>(_ change: (Value) -> Other) -> SetUpReading<Other> {
        switch self {
        case .taken(let value): .taken(change(value))
        case .refused(let reason): .refused(reason)
        }
    }
}

/// Reads the answers of the set-up, typed on a terminal or in the page.
package enum AnswerReading {
    /// A directory; its path begins with `/` or `~/`, perhaps in quotes, as terminals write a dropped folder.
    package static func folder(_ answer: String, home: FilePath) -> SetUpReading<FilePath> {
        let text = unquoted(answer)
        let typed = text.hasPrefix("~/") ? home.appending(String(text.dropFirst(2))) : FilePath(text)
        guard typed.isAbsolute else { return .refused("Begin with / or ~/.") }
        guard !text.utf8.contains(0) else { return .refused("A path has no NUL in it.") }
        // Removes superfluous slashes, so that two spellings of one path are equal.
        let path = typed.components.reduce(FilePath("/")) { $0.appending($1) }
        return isDirectory(path) ? .taken(path) : .refused("\(path) is no directory.")
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 2, let quote = text.first, "'\"".contains(quote), text.last == quote else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Why these folders cannot all be kept safe: two are the same, or one lies inside another; a sentence for each.
    ///
    /// No command would accept a configuration with such folders.
    package static func troubles(among folders: [FilePath]) -> [String] {
        // A folder that is missing, for example on a disk that is away, is known by its path alone.
        let places = folders.map { (try? $0.resolved()) ?? $0 }
        var troubles: [String] = []
        for (index, place) in places.enumerated() {
            for (other, earlier) in places[..<index].enumerated() {
                let (here, there) = (folders[index], folders[other])
                if place == earlier {
                    troubles.append("\(here) is \(there) by another name: name only one of them.")
                } else if place.relative(to: earlier) != nil {
                    troubles.append("\(here) lies in \(there): name only one of them.")
                } else if earlier.relative(to: place) != nil {
                    troubles.append("\(there) lies in \(here): name only one of them.")
                } else if let shared = SharedDirectory(place, among: [earlier]) {
                    // This finds bind mounts, which paths do not show.
                    troubles.append("\(shared).")
                }
            }
        }
        return troubles
    }

    /// Whether a directory is there now.
    package static func isDirectory(_ path: FilePath) -> Bool {
        (try? FileFacts.existing(path))?.kind == .directory
    }

    /// The project's URL; `nil` for this computer.
    package static func url(_ text: String) -> SetUpReading<String?> {
        if text == "local" { return .taken(nil) }
        return check(text, as: "destination.url").map(Optional.some)
    }

    /// The bucket and the prefix; they are one answer, because few users share a bucket between computers.
    package static func place(_ text: String) -> SetUpReading<(bucket: String, prefix: String)> {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (
            check(parts[0], as: "destination.bucket"), check(parts.dropFirst().first ?? "", as: "destination.prefix")
        ) {
        case (.taken(let bucket), .taken(let prefix)): return .taken((bucket, prefix))
        case (.refused(let reason), _), (_, .refused(let reason)): return .refused(reason)
        }
    }

    /// How much the plan stores; `nil` leaves the default, which every plan allows.
    package static func budget(_ text: String) -> SetUpReading<StorageAllowance?> {
        if text == "free" { return .taken(nil) }
        guard case .taken = check(text, as: "destination.storageBudget") else {
            return .refused("Answer \"free\", a size like 90GB, or \"unlimited\".")
        }
        if text == "unlimited" { return .taken(.unlimited) }
        return Quantity.bytes(text).map { .taken(.bytes($0)) } ?? .refused("Name a size like 90GB.")
    }

    /// A key of the project; empty for none.
    package static func key(_ text: String) -> SetUpReading<String> {
        if text.contains(where: \.isWhitespace) { return .refused("A key is one word.") }
        // Other characters cannot be in a header; web pages add some around copied text.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .refused("A key is one word of ASCII: this has other characters, which may be invisible.")
        }
        guard case .user = KeyKind(text) else { return .taken(text) }
        return .refused(
            "This is a signed-in user's token, which ends within the hour: give a key of the project, or nothing.")
    }

    /// An address that signs in.
    package static func email(_ text: String) -> SetUpReading<String> {
        let isAddress = text.dropFirst().dropLast().contains("@") && !text.contains(where: \.isWhitespace)
        return isAddress ? .taken(text) : .refused("Give an address like ada@example.org.")
    }

    private static func check(_ text: String, as key: String) -> SetUpReading<String> {
        guard let reason = Setting.named(key)?.refusal(of: text) else { return .taken(text) }
        return .refused("It " + reason)
    }
}

extension OwnPlaces {
    /// Why a folder cannot be kept safe; `nil` where it can.
    package func refusal(of path: FilePath) -> String? {
        holds(path) ? "\(path) is where gallery-sync keeps its own files; name another directory." : nil
    }
}
