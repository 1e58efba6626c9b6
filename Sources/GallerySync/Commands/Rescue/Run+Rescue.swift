import Cleansing
import CommandLine
import Configuration
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Providers
import Records
import Rescue
import Text

extension Run {
    /// `rescue`: lists what there is to bring, then brings it.
    func rescue(_ request: RescueRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let (what, faults) = try what(request, setup.settings)
        let order = RescueOrder(what, dryRun: request.isDryRun)
        let plan = try await carryOut(RescuePlanOrder(order), setup, mode: .steering)
        guard var listing = plan.answer, plan.ending == .done else { return try conclude(plan.ending) }
        listing.notes += faults
        if request.isDryRun || listing.rows.isEmpty {
            try tell(listing, isDryRun: request.isDryRun, after: plan.ending)
            return try conclude(plan.ending, besides: faults)
        }
        if !invocation.isJSON, !invocation.isQuiet { console.note(lines(of: listing, onTerminal: 2)) }
        // The plan has recorded what was found, so no provider is asked twice.
        let found = RescueOrder(.jobs(listing.jobs))
        let reply = try await carryOut(found, setup)
        if var outcome = reply.answer {
            outcome.notes += faults
            try tell(outcome, isDryRun: false, after: reply.ending)
        }
        return try conclude(reply.ending, besides: faults)
    }

    /// The exit code, which is not success if lines of a list were left out.
    private func conclude(_ ending: Ending, besides faults: [String]) throws -> ExitCode {
        try conclude(ending == .done && !faults.isEmpty ? .someFailed(faults.count) : ending)
    }

    private func tell(_ listing: RescueListing, isDryRun: Bool, after ending: Ending) throws {
        let document = Rescued(dryRun: isDryRun, listing: listing)
        if let events {
            events.conclude(with: ["result": try JSONDocument.value(document)])
        } else if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(document))
        } else if !invocation.isQuiet || isDryRun || ending != .done || !listing.notes.isEmpty {
            try console.result(lines(of: listing, onTerminal: 1))
        }
    }

    private func lines(of listing: RescueListing, onTerminal descriptor: Int32) -> [String] {
        RescueLines(listing: listing, columns: Self.columns(of: descriptor, atMost: 120), now: Date()).lines
    }

    private struct Rescued: Encodable {
        let schema = "gallery-sync/rescue/1"
        let dryRun: Bool
        let rows: [RescueListing.Row]
        let notes: [String]

        init(dryRun: Bool, listing: RescueListing) {
            self.dryRun = dryRun
            rows = listing.rows
            notes = listing.notes
        }
    }
}

// MARK: - What to rescue

extension Run {
    /// What the request asks for, and a sentence for each line of a list that is left out.
    private func what(
        _ request: RescueRequest, _ settings: Settings
    ) throws -> (RescueOrder.What, faults: [String]) {
        guard case .links(let arguments) = request.source else { return (try place(request, settings), []) }
        let (expires, rules) = (request.expires?.ahead(of: Date()), ProviderSites.linkRules(settings))
        let found = try arguments.map { try links($0, expires: expires, rules) }
        return (.links(found.flatMap(\.links)), found.flatMap(\.faults))
    }

    /// Where to look for files if the request names no links.
    private func place(_ request: RescueRequest, _ settings: Settings) throws -> RescueOrder.What {
        let now = Date()
        switch request.source {
        case .known, .links: return .known
        case .provider(let name):
            let since = request.since?.moment(before: FileTime(now)).date
            return .provider(try ProviderSites.named(name, in: settings, besides: ["table"]), since: since)
        case .table(let table, let column, let thumbnail):
            let order = TableOrder(
                table: table, column: column, thumbnailColumn: thumbnail == "-" ? nil : thumbnail)
            if let fault = order.fault { throw UsageError(message: fault) }
            return .table(order)
        }
    }

    /// A link, or the links of a list and what is wrong with its other lines.
    ///
    /// Throws if the link, or every link of the list, must not be followed, because as a job it would fail for good and
    /// stand in every status until it is cancelled.
    private func links(
        _ argument: FilePath, expires: Date?, _ rules: LinkRules
    ) throws -> (links: [RescueLink], faults: [String]) {
        let text = argument.display
        if text.contains("://") {
            let link = WebAddress.escaped(argument.bytes)
            guard let refusal = rules.refusal(of: link) else { return ([RescueLink(link, expires: expires)], []) }
            throw Refusal(.refused("\(Cleanser.link(text)): \(refusal.clause). Nothing was fetched."))
        }
        let file = try surroundings.absolute(argument)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(reading: file).readAll(limit: 64 << 20)
        } catch {
            throw UsageError("\(text) is no link, and cannot be read as a list", error)
        }
        let list = RescueList(String(decoding: bytes, as: UTF8.self), expires: expires, refusal: rules.refusal)
        if list.links.isEmpty, let fault = list.faults.first {
            let more = list.faults.count > 1 ? " (and \(list.faults.count - 1) more)" : ""
            throw Refusal(.refused("\(text), \(fault)\(more). Nothing was fetched."))
        }
        return (list.links, list.faults.map { "\(text), \($0)." })
    }
}

extension Since {
    /// A future date: the date itself, or the age counted from `now` on.
    func ahead(of now: Date) -> Date {
        switch self {
        case .date(let time): time.date
        case .ago(let age): now + age.seconds
        }
    }
}
