import Foundation
import Providers
import Rescue
import Supabase
import Synchronization
import Transfer

/// An inbox in memory by the rules of `webhooks.sql`, whose calls and answers can be lost.
final class InboxDouble: InboxKeeping {
    struct Entry {
        let row: InboxRow
        var token: String?
        var until = Date.distantPast
        var key: String?
        var isFinished = false
        var claims = 0
    }

    /// What happens to one call.
    enum Fault: CaseIterable {
        case call, answer
    }

    private struct State {
        var entries: [Entry]
        var now: Date
        var calls = 0
        var faults: [Int: Fault] = [:]
        /// The rows whose renewal and end are refused.
        var refused: Set<Int> = []
    }

    private let state: Mutex<State>

    init(_ rows: [InboxRow], at now: Date) { state = Mutex(State(entries: rows.map { Entry(row: $0) }, now: now)) }

    var now: Date { state.withLock(\.now) }
    var entries: [Entry] { state.withLock(\.entries) }
    var calls: Int { state.withLock(\.calls) }
    func advance(by seconds: Double) { state.withLock { $0.now += seconds } }
    func lose(_ fault: Fault, of call: Int) { state.withLock { $0.faults[call] = fault } }

    func refuse(_ row: Int, _ isRefused: Bool = true) {
        state.withLock { if isRefused { $0.refused.insert(row) } else { $0.refused.remove(row) } }
    }

    func claim(_ limit: Int, for seconds: Int) async throws -> [InboxRow] {
        try perform { state in
            var rows: [InboxRow] = []
            for index in state.entries.indices where rows.count < limit {
                guard !state.entries[index].isFinished, state.entries[index].until <= state.now else { continue }
                let (row, token) = (state.entries[index].row, "\(index).\(state.entries[index].claims)")
                state.entries[index].token = token
                state.entries[index].until = state.now + Double(seconds)
                state.entries[index].claims += 1
                rows.append(InboxRow(token: token, reference: row.reference, status: row.status))
            }
            return rows
        }
    }

    func renew(_ token: String, for seconds: Int) async throws -> Bool {
        try refuse(token)
        return try perform { state in
            guard let index = state.entries.firstIndex(where: { $0.token == token && !$0.isFinished }) else {
                return false
            }
            state.entries[index].until = state.now + Double(seconds)
            return true
        }
    }

    func finish(_ token: String, key: String?) async throws -> Bool {
        try refuse(token)
        return try perform { state in
            guard let index = state.entries.firstIndex(where: { $0.token == token }) else { return false }
            if !state.entries[index].isFinished { state.entries[index].key = key }
            state.entries[index].isFinished = true
            return true
        }
    }

    private func refuse(_ token: String) throws {
        let isRefused = state.withLock { state in
            state.entries.indices.contains { state.refused.contains($0) && state.entries[$0].token == token }
        }
        if isRefused { throw RestError.refused(RestRefusal(HTTPResponse(status: 400))) }
    }

    private func perform<Answer>(_ effect: (inout State) -> Answer) throws -> Answer {
        try state.withLock { state in
            state.calls += 1
            let fault = state.faults[state.calls]
            if fault == .call { throw Self.lost }
            let answer = effect(&state)
            if fault == .answer { throw Self.lost }
            return answer
        }
    }

    private static let lost = RestError.noAnswer(TransferError(.lost, "cut off", mayHaveArrived: true))
}
