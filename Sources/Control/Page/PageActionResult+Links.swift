package import Dashboard
import FoundationEssentials
import Text

extension PageActionResult {
    /// What the page shows of links to some of `count` files.
    package init(_ links: [Linker.Link], of count: Int) {
        let left = count - links.count
        let rest = left > 0 ? " \(Quantity.text(left, "file")) not stored." : ""
        self.init(count: links.count, sentence: "\(Quantity.text(links.count, "link")) made.\(rest)")
        self.links = links.map { link in
            Link(path: link.path, url: link.url, expiresAt: link.expiresAt.map { ISO8601.text($0, digits: 0) })
        }
    }
}
