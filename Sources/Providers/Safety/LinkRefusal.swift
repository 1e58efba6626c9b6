/// Why a link is not followed, or what it delivered is not kept.
package enum LinkRefusal: Error, Hashable, Sendable {
    /// Not an address that every parser reads in the same way.
    case unreadable
    /// The host is written in letters that are not ASCII.
    case foreignLetters
    case scheme(String)
    /// An address of this computer or its network, by its text or as its name resolves.
    case privateAddress(host: String, address: String)
    /// A name that only this computer or its network knows.
    case localName(String)
    case foreignHost(String)
    /// Bytes announced or received, and how many are allowed.
    case tooLarge(Int64, limit: Int64)
}

extension LinkRefusal {
    /// Its sentence without the full stop.
    package var clause: String { String(description.dropLast()) }
}

extension LinkRefusal: CustomStringConvertible {
    /// A sentence for the user that names the setting which would allow the link.
    package var description: String {
        switch self {
        case .unreadable: "The link is no address that can be followed safely."
        case .foreignLetters:
            "The link's host has letters that are not ASCII: write it as browsers show it when it is copied, such as "
                + "xn--bcher-kva.example."
        case .scheme("http"): "The link is http://, which is followed only to the addresses in rescue.origins."
        case .scheme(let scheme): "The link is \(scheme)://; only https is followed."
        case .privateAddress(let host, let address) where host == address:
            "\(host) is an address of this computer or its network; rescue.origins may allow it."
        case .privateAddress(let host, let address):
            "\(host) leads to \(address), an address of this computer or its network; rescue.origins may allow it."
        case .localName(let host): "\(host) is a name of this network; rescue.origins may allow it."
        case .foreignHost(let host): "\(host) is none of the hosts this provider's files may come from."
        case .tooLarge(let size, let limit): "The file is larger than allowed: \(size) bytes, at most \(limit)."
        }
    }
}
