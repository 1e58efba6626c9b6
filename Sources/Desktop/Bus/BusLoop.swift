import Glibc
import Platform

/// The work of the thread that owns the buses.
final class BusLoop {
    /// The question that an answer belongs to.
    private enum Question: Equatable {
        case property(HostProperty)
        case inhibitor
        case presence
        case notice(topic: String)
        /// Whether anything shows a tray.
        case watcher
        case opening

        /// Whether its answer is part of the computer's state.
        var isAboutState: Bool {
            switch self {
            case .notice, .opening: false
            case .property, .inhibitor, .presence, .watcher: true
            }
        }

        /// The topic of the notice whose identifier it asks for.
        var topic: String? {
            if case .notice(let topic) = self { topic } else { nil }
        }
    }

    /// A question, and how long to wait for its answer.
    private struct Awaited {
        let question: Question
        let end: ContinuousClock.Instant
    }

    private let link: BusLink
    private var buses: [BusKind: BusConnection] = [:]
    private var questions: [BusKind: [UInt64: Awaited]] = [:]
    private var host = HostState()
    private var told: HostState?
    /// The identifiers of notices that are shown, by topic.
    private var notices: [String: UInt32] = [:]
    /// The last order about a topic whose notice was requested, but has no identifier yet.
    private var waiting: [String: BusLink.Order] = [:]
    /// What the tray shows; `nil` until there is something to show.
    private var tray: BusTray?
    private var isSleeping = false
    /// When to look again for buses that went away.
    private var retryAt: ContinuousClock.Instant?

    /// How long to wait before looking for a bus that went away.
    private static let patience = Duration.seconds(60)

    init(_ link: BusLink) { self.link = link }

    func run() {
        for kind in BusKind.allCases { connect(kind) }
        while !link.isEnded {
            for order in link.takeOrders() { obey(order) }
            for kind in BusKind.allCases { drain(kind) }
            stopWaitingForNotices()
            let stateAt = stateAt
            if stateAt == nil { tellState() }
            if buses.isEmpty, retryAt == nil { return }
            wait(until: [retryAt, stateAt, noticeAt].compactMap(\.self).min())
            if let retryAt, retryAt <= .now { reconnect() }
        }
    }

    /// Sleeps until a message or an order comes, or until `end`.
    private func wait(until end: ContinuousClock.Instant?) {
        var sources = [pollfd(fd: link.wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
        sources += buses.values.map(\.poll)
        _ = poll(&sources, nfds_t(sources.count), timeout(until: end))
        if sources[0].revents != 0 { link.wakeup.clear() }
    }

    /// Milliseconds until `end` or until a bus falls due, whichever is sooner; -1 for no time.
    private func timeout(until end: ContinuousClock.Instant?) -> Int32 {
        var waits: [Int64] = []
        if let due = buses.values.compactMap(\.due).min() {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
            waits.append(due <= now ? 0 : Int64((due - now) / 1_000) + 1)
        }
        if let end { waits.append(Int64(max(0, ContinuousClock.now.duration(to: end) / .milliseconds(1))) + 1) }
        return waits.min().map { Int32(clamping: $0) } ?? -1
    }

    /// When the last answer about the computer has come or is overdue; `nil` if no answer is awaited.
    ///
    /// A service that hangs delays the first state, but only until its own answers are overdue.
    private var stateAt: ContinuousClock.Instant? {
        questions.values.flatMap(\.values).filter { $0.question.isAboutState && $0.end > .now }.map(\.end).max()
    }

    /// When orders stop waiting for the identifier of their notice; `nil` if none waits.
    private var noticeAt: ContinuousClock.Instant? {
        let awaited = questions[.session]?.values.filter { $0.question.topic.map { waiting[$0] != nil } ?? false }
        return awaited?.map(\.end).min()
    }

    private func tellState() {
        guard host != told else { return }
        told = host
        link.tell(.state(host))
    }
}

// MARK: - Buses and services

extension BusLoop {
    private func connect(_ kind: BusKind) {
        guard let bus = BusConnection(kind, at: link.address) else { return }
        buses[kind] = bus
        for source in HostSource.allCases where source.bus == kind {
            for rule in source.rules { _ = bus.call(.bus, "AddMatch", [.text(rule)]) }
            ask(source)
        }
    }

    private func reconnect() {
        retryAt = nil
        for kind in BusKind.allCases where buses[kind] == nil {
            connect(kind)
            if kind == .system, link.isDelaying { delaySleep() }
        }
        if buses.count < BusKind.allCases.count, told != nil { lookAgainLater() }
    }

    private func lookAgainLater() { retryAt = .now + Self.patience }

    private func drain(_ kind: BusKind) {
        while let bus = buses[kind] {
            switch bus.next() {
            case .message(let message): take(message, from: kind)
            case .idle: return
            case .disconnected:
                buses[kind] = nil
                questions[kind] = nil
                if kind == .session { waiting = [:] }
                for source in HostSource.allCases where source.bus == kind { forget(source) }
                lookAgainLater()
            }
        }
    }

    /// Asks a service for everything that it can tell; a service that does not run answers with an error.
    private func ask(_ source: HostSource) {
        guard let bus = buses[source.bus] else { return }
        for property in source.properties {
            let arguments: [BusArgument] = [.text(property.place.interface), .text(property.name)]
            let cookie = bus.call(property.place.by(BusPlace.properties), "Get", arguments)
            note(cookie, .property(property), source.bus)
        }
        if source == .notifications {
            note(bus.call(.notifications, "GetServerInformation", isStarting: true), .presence, .session)
        }
        if source == .tray { note(bus.call(.bus, "NameHasOwner", [.text(source.service)]), .watcher, .session) }
    }

    private func note(_ cookie: UInt64?, _ question: Question, _ kind: BusKind) {
        guard let cookie else { return }
        let patience = question.topic == nil ? link.patience : link.noticePatience
        questions[kind, default: [:]][cookie] = Awaited(question: question, end: .now + patience)
    }

    private func forget(_ source: HostSource) {
        host.answering.remove(source)
        for property in source.properties { host.take(property, nil) }
        if source == .notifications { notices = [:] }
        if source == .logind { wake() }
    }

    private func wake() {
        guard isSleeping else { return }
        isSleeping = false
        link.tell(.woke)
    }

    private func delaySleep() {
        let arguments = ["sleep", "gallery-sync", "Bringing uploads to a safe end", "delay"].map(BusArgument.text)
        note(buses[.system]?.call(.logind, "Inhibit", arguments), .inhibitor, .system)
    }
}

// MARK: - Orders

extension BusLoop {
    private func obey(_ order: BusLink.Order) {
        switch order {
        case .delaySleep: delaySleep()
        case .show(let notice):
            guard !isAwaited(notice.topic) else { return waiting[notice.topic] = order }
            show(notice)
        case .close(let topic):
            guard !isAwaited(topic) else { return waiting[topic] = order }
            guard let id = notices.removeValue(forKey: topic) else { return }
            _ = buses[.session]?.call(.notifications, "CloseNotification", [.unsigned(id)])
        case .present(let state): present(state)
        case .open(let uri):
            let arguments: [BusArgument] = [.text(""), .text(uri), .table([])]
            let cookie = buses[.session]?.call(.portal, "OpenURI", arguments, isStarting: true)
            note(cookie, .opening, .session)
        }
    }

    /// Whether a requested notice has no identifier yet; until it has, no other order about it can be carried out.
    private func isAwaited(_ topic: String) -> Bool {
        questions[.session]?.values.contains { $0.question == .notice(topic: topic) } ?? false
    }

    /// Carries out orders whose notices a hanging service gives no identifier; each becomes a notice of its own.
    private func stopWaitingForNotices() {
        for (cookie, awaited) in questions[.session] ?? [:] where awaited.end <= .now {
            guard let topic = awaited.question.topic, let order = waiting.removeValue(forKey: topic) else { continue }
            questions[.session]?[cookie] = nil
            obey(order)
        }
    }

    private func present(_ state: TrayState) {
        let bus = buses[.session]
        guard tray == nil else {
            tray?.change(to: state, on: bus)
            return
        }
        tray = BusTray(state)
        if let bus, host.answering.contains(.tray) { tray?.register(with: bus) }
    }

    /// Tells the user what to do if no portal answers; a program started from here would be as confined as this one.
    private func tellHowToOpen() {
        let notice = HostNotice(
            topic: TrayState.topic, title: "The gallery page cannot be opened from here",
            text: "Run \"gallery-sync open\" in a terminal.")
        obey(.show(notice))
    }

    private func show(_ notice: HostNotice) {
        let urgency: UInt8 = notice.isUrgent ? 2 : 1
        let arguments: [BusArgument] = [
            .text("gallery-sync"), .unsigned(notices[notice.topic] ?? 0), .text("gallery-sync"), .text(notice.title),
            .markup(notice.text), .texts(notice.actions.flatMap { [$0.name, $0.label] }),
            .table([("urgency", .byte(urgency)), ("desktop-entry", .text("gallery-sync"))]), .signed(-1),
        ]
        let cookie = buses[.session]?.call(.notifications, "Notify", arguments, isStarting: true)
        note(cookie, .notice(topic: notice.topic), .session)
    }
}

// MARK: - Messages

extension BusLoop {
    private func take(_ message: BusMessage, from kind: BusKind) {
        if let cookie = message.answered {
            guard let awaited = questions[kind]?.removeValue(forKey: cookie) else { return }
            return hear(message, awaited.question)
        }
        if message.isCall {
            guard let bus = buses[kind] else { return }
            guard let tray, kind == .session else { return message.refuse() }
            if let action = tray.answer(message, on: bus) { link.tell(.chose(action: action, topic: TrayState.topic)) }
            return
        }
        switch (message.interface, message.member) {
        case (BusPlace.bus.interface, "NameOwnerChanged"): ownerChanged(message)
        case (BusPlace.properties, "PropertiesChanged"): propertiesChanged(message)
        case (BusPlace.logind.interface, "PrepareForSleep"): prepareForSleep(message.truth())
        case (BusPlace.notifications.interface, "NotificationClosed"):
            let id = message.unsigned()
            notices = notices.filter { $0.value != id }
        case (BusPlace.notifications.interface, "ActionInvoked"):
            let (id, action) = (message.unsigned(), message.text())
            if let topic = notices.first(where: { $0.value == id })?.key {
                link.tell(.chose(action: action, topic: topic))
            }
        default: return
        }
    }

    private func hear(_ message: BusMessage, _ question: Question) {
        defer {
            if case .notice(let topic) = question, let order = waiting.removeValue(forKey: topic) { obey(order) }
        }
        guard !message.isError else {
            if case .property(let property) = question { host.take(property, nil) }
            if case .opening = question { tellHowToOpen() }
            return
        }
        switch question {
        case .property(let property):
            host.take(property, message.variant())
            host.answering.insert(property.source)
        case .inhibitor:
            guard let descriptor = message.descriptor() else { return }
            host.answering.insert(.logind)
            link.hold(descriptor)
        case .presence: host.answering.insert(.notifications)
        case .watcher:
            guard message.truth() == true else { return }
            host.answering.insert(.tray)
            if let bus = buses[.session] { tray?.register(with: bus) }
        case .opening: return
        case .notice(let topic):
            if let id = message.unsigned() { notices[topic] = id }
        }
    }

    private func ownerChanged(_ message: BusMessage) {
        let name = message.text()
        let (_, owner) = (message.text(), message.text())
        guard let source = HostSource.allCases.first(where: { $0.service == name }) else { return }
        forget(source)
        guard !owner.isEmpty else { return }
        ask(source)
        if source == .logind, link.isDelaying { delaySleep() }
    }

    private func propertiesChanged(_ message: BusMessage) {
        let (path, interface) = (message.path, message.text())
        let known = HostProperty.allCases.filter { $0.place.path == path && $0.place.interface == interface }
        guard let source = known.first?.source else { return }
        let values = message.table()
        for property in known {
            if let value = values[property.name] { host.take(property, value) }
        }
        let invalid = message.texts()
        if known.contains(where: { invalid.contains($0.name) }) { ask(source) }
    }

    private func prepareForSleep(_ isBeginning: Bool?) {
        guard isBeginning == true else {
            // The state from before the sleep may not hold any more.
            for source in HostSource.allCases where source.bus == .system && source != .logind { ask(source) }
            return wake()
        }
        isSleeping = true
        link.tell(.sleeps)
    }
}
