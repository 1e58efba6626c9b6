import Glibc
import Platform

/// A program's wait for a descriptor that the kernel makes readable, such as inotify's.
///
/// Safe without a lock, because one thread runs a simulation.
final class Follower: @unchecked Sendable {
    fileprivate let descriptor: Int32
    fileprivate let stop: Wakeup
    fileprivate let step: @Sendable () -> Bool
    fileprivate let end: @Sendable () -> Void
    /// Whether a step is on its way.
    fileprivate var isCalled = false

    init(
        descriptor: Int32, stop: Wakeup, step: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void
    ) {
        (self.descriptor, self.stop, self.step, self.end) = (descriptor, stop, step, end)
    }
}

extension Simulation {
    /// Has those called whose descriptors can be read, and ends those that were stopped.
    func callFollowers() {
        guard !followers.isEmpty else { return }
        var sources = followers.flatMap { [$0.stop.descriptor, $0.descriptor] }.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&sources, nfds_t(sources.count), 0) > 0 else { return }
        for (index, follower) in followers.enumerated() {
            if sources[2 * index].revents != 0 {
                end(follower)
            } else if sources[2 * index + 1].revents != 0, !follower.isCalled {
                call(follower)
            }
        }
    }

    private func call(_ follower: Follower) {
        follower.isCalled = true
        SimulatedPool.wait {
            guard let simulation = Simulation.current, simulation.followers.contains(where: { $0 === follower }) else {
                return
            }
            follower.isCalled = false
            if !follower.step() { simulation.end(follower) }
        }
    }

    private func end(_ follower: Follower) {
        followers.removeAll { $0 === follower }
        submit { follower.end() }
    }
}
