package import Platform
import Serving
package import Text

/// Serves the gallery page on a loopback port to browsers that its gate lets in.
package final class PageServer: Sendable {
    private let server: Server
    private let gate: Gate

    /// A server of the gallery that has not been started; port 0 is any free one.
    package init(gate: Gate, host: any PageHost, contents: PageContents?, port: UInt16 = 0, log: Log) {
        self.gate = gate
        let router = PageRouter(entrance: Entrance(gate: gate, log: log), host: host, contents: contents)
        server = Server(listening: [.loopback(port: port)], isForOwner: true) { await router.answer($0) }
    }

    /// A server of the set-up that has not been started, on any free port.
    package init(gate: Gate, setUp host: any SetUpHost, log: Log) {
        self.gate = gate
        let router = SetUpRouter(entrance: Entrance(gate: gate, log: log), host: host)
        server = Server(listening: [.loopback(port: 0)], isForOwner: true) { await router.answer($0) }
    }

    /// Listens, and has the gate's links name the port; throws where the port is taken.
    package func start() throws(SystemError) {
        try server.start()
        if let port = server.port { gate.open(on: port) }
    }

    /// Stops listening, and ends every answer that still runs.
    package func stop() async { await server.stop(grace: .milliseconds(200)) }
}
