import Foundation
import Platform
import TestSupport
import Testing
import Transfer

/// Debian's Chromium without a window, steered over WebDriver (https://www.w3.org/TR/webdriver2), which is plain HTTP.
final class Chromium: Sendable {
    /// Whether this machine has the packages chromium and chromium-driver.
    static let isThere = ["/usr/bin/chromium", "/usr/bin/chromedriver"]
        .allSatisfy { FileManager.default.fileExists(atPath: $0) }

    /// A name that leads to this computer and belongs to others, as after DNS rebinding.
    static let strangeHost = "stranger.test"

    private let driver: GallerySyncProcess
    private let client = HTTPClient()
    /// The address of the driver's commands for the one window.
    private let session: String

    private init(in folder: FilePath) async throws {
        let (driver, port) = try await Self.start(in: folder)
        self.driver = driver
        let base = "http://127.0.0.1:\(port)/session"
        struct Session: Decodable { let sessionId: String }
        let made: Session = try await Self.ask(
            client, .post, base, ["capabilities": ["alwaysMatch": Self.capabilities(folder)]])
        session = "\(base)/\(made.sessionId)"
    }

    /// A driver that listens, and its port; it was seen once not to begin to listen, so it is started up to three times.
    private static func start(in folder: FilePath) async throws -> (GallerySyncProcess, String) {
        var tries = 3
        while true {
            let driver = try GallerySyncProcess(
                "/usr/bin/chromedriver", ["--port=0"],
                environment: ["HOME": folder.display, "PATH": Environment["PATH"] ?? "/usr/bin:/bin"],
                writingTo: folder)
            do {
                let port = try await eventually(
                    "chromedriver listens", within: .seconds(30), seen: { try? driver.results + driver.notes }
                ) {
                    try driver.results.firstMatch(of: #/successfully on port (\d+)/#).map { String($0.1) }
                }
                return (driver, port)
            } catch let error as LimitReached {
                tries -= 1
                guard tries > 0 else { throw error }
            }
        }
    }

    /// Runs the body beside a browser of its own, which ends with it.
    static func with(in folder: FilePath, _ body: (Chromium) async throws -> Void) async throws {
        let browser = try await Chromium(in: folder)
        do {
            try await body(browser)
        } catch {
            await browser.quit()
            throw error
        }
        await browser.quit()
    }

    /// The driver ends the browser, too; where it does not answer any more, it is killed with its process group.
    private func quit() async {
        do {
            let _: Nothing? = try await Self.ask(client, .delete, session)
        } catch {
            Issue.record("Chromium did not end: \(error)")
        }
        client.close()
    }

    /// Without a sandbox, since containers grant none, and all that it visits is our own page.
    private static func capabilities(_ folder: FilePath) -> [String: Any] {
        let words = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
            "--window-size=1280,900", "--host-resolver-rules=MAP \(strangeHost) 127.0.0.1",
            "--user-data-dir=\(folder.appending("chromium").display)",
        ]
        return [
            "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["binary": "/usr/bin/chromium", "args": words],
        ]
    }
}

// MARK: - What a person does

extension Chromium {
    /// Goes to an address, and returns when it is loaded.
    func visit(_ address: String) async throws { try await post("url", ["url": address]) }

    /// Clicks into the middle of the first element that `selector` finds; throws where another one covers it.
    func click(_ selector: String) async throws {
        let found: [String: String] = try await send("element", ["using": "css selector", "value": selector])
        try await post("element/\(found.values.first.orThrow())/click", [:])
    }

    /// Presses keys one after the other, each a character or one of `Key`.
    func press(_ keys: String...) async throws { try await press(keys) }

    /// Writes text into what has the focus.
    func write(_ text: String) async throws { try await press(text.map { String($0) }) }

    private func press(_ keys: [String]) async throws {
        let strokes = keys.flatMap { key in ["keyDown", "keyUp"].map { ["type": $0, "value": key] } }
        try await post("actions", ["actions": [["type": "key", "id": "keys", "actions": strokes]]])
    }

    /// Puts the focus on the element with this id.
    func focus(_ id: String) async throws { try await run("document.getElementById('\(id)').focus()") }

    /// Runs a statement in the page.
    func run(_ statement: String) async throws {
        try await post("execute/sync", ["script": statement, "args": [Any]()])
    }

    /// Shows pages in a window of this size, bright or dark.
    func look(width: Int, height: Int = 900, isDark: Bool = false) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await command("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// The tab that is in front.
    func tab() async throws -> String { try await send(.get, "window") }

    /// Opens a tab, and brings it to the front.
    func openTab() async throws -> String {
        struct Window: Decodable { let handle: String }
        let window: Window = try await send("window/new", ["type": "tab"])
        try await turn(to: window.handle)
        return window.handle
    }

    /// Brings a tab to the front.
    func turn(to tab: String) async throws { try await post("window", ["handle": tab]) }

    /// Closes the tab that is in front; turn to another one then.
    func closeTab() async throws { let _: [String] = try await send(.delete, "window") }

    /// Forgets every cookie.
    func forgetCookies() async throws { let _: Nothing? = try await send(.delete, "cookie") }

    private func command(_ name: String, _ parameters: [String: Any]) async throws {
        try await post("goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    enum Key {
        static let tab = "\u{E004}"
        static let enter = "\u{E007}"
        static let escape = "\u{E00C}"
        static let left = "\u{E012}"
        static let right = "\u{E014}"
    }
}

// MARK: - What is to be seen

extension Chromium {
    /// The value of a JavaScript expression in the page; a promise is waited for.
    func value<Value: Decodable>(_ expression: String) async throws -> Value {
        try await send("execute/sync", ["script": "return \(expression)", "args": [Any]()])
    }

    /// Returns once the expression is true.
    func see(_ what: String, _ expression: String) async throws {
        do {
            try await eventually(what) { try await value("!!(\(expression))") }
        } catch {
            let text: String = try await value("document.body.innerText")
            Issue.record("the page shows: \(text)")
            throw error
        }
    }

    /// The HTTP status that the page came with.
    var status: Int {
        get async throws { try await value("performance.getEntriesByType('navigation')[0].responseStatus") }
    }

    /// What the browser complained of since the last call, such as scripts that its policy refused to run.
    func complaints() async throws -> [String] {
        struct Entry: Decodable {
            let level: String
            let message: String
        }
        let entries: [Entry] = try await send("se/log", ["type": "browser"])
        return entries.filter { $0.level == "SEVERE" }.map(\.message)
    }
}

// MARK: - WebDriver

extension Chromium {
    private struct Nothing: Decodable {}

    /// What the driver refused.
    struct Refused: Error {
        let command: String
        let reason: String
    }

    private func post(_ command: String, _ body: [String: Any]) async throws {
        let _: Nothing? = try await send(command, body)
    }

    private func send<Answer: Decodable>(_ command: String, _ body: [String: Any]) async throws -> Answer {
        try await Self.ask(client, .post, "\(session)/\(command)", body)
    }

    private func send<Answer: Decodable>(_ method: HTTPMethod, _ command: String) async throws -> Answer {
        try await Self.ask(client, method, "\(session)/\(command)")
    }

    /// Every answer is `{"value": …}`; that of a command without a result has `null`.
    private struct Reply<Value: Decodable>: Decodable { let value: Value }

    private struct Trouble: Decodable {
        let error: String
        let message: String
    }

    private static func ask<Answer: Decodable>(
        _ client: HTTPClient, _ method: HTTPMethod, _ address: String, _ body: [String: Any]? = nil
    ) async throws -> Answer {
        var request = HTTPRequest(method, address, answer: .memory(limit: 1 << 24))
        request.headers["content-type"] = "application/json"
        if let body { request.body = .bytes(Array(try JSONSerialization.data(withJSONObject: body))) }
        let answer = try await client.send(request)
        let (decoder, data) = (JSONDecoder(), Data(answer.body))
        guard answer.status == 200 else {
            let trouble = try? decoder.decode(Reply<Trouble>.self, from: data).value
            throw Refused(command: address, reason: trouble.map { "\($0.error): \($0.message)" } ?? "\(answer.status)")
        }
        return try decoder.decode(Reply<Answer>.self, from: data).value
    }
}
