import Configuration
import Foundation
import Queue
import Reporting

/// Reports that several suites use.
enum Reports {
    static let now = Date(timeIntervalSince1970: 1_795_168_800)  // 2026-11-20 10:00 UTC

    static let empty = Report(createdAt: now)

    static let destination = Report.Destination(url: "https://abc.supabase.co", bucket: "media", prefix: "laptop")

    static let done = Report(
        createdAt: now, destination: destination, agent: .init(running: true), assets: .init(stored: 1200),
        queue: .init(completed: 2400), bytes: .init(total: 4_200_000_000, stored: 4_200_000_000))

    static let troubled: Report = {
        var report = Report(createdAt: now, destination: destination)
        report.agent = .init(running: true, paused: true, reason: "offline since 10 min")
        report.assets = .init(stored: 990, waiting: 6, failed: 3, unreadable: 1)
        report.besides = .init(ignored: 12, gone: 3, excluded: 0, remoteOnly: 2, leftOutStored: 17, indexed: 40)
        report.queue = .init(pending: 11, uploading: 1, completed: 1980, failed: 3)
        var pictures = QueueCounts.Pictures()
        for (status, count) in [(Item.Status.pending, 5), (.completed, 990)] {
            for _ in 0..<count { pictures.count(status, 1) }
        }
        report.queue.pictures = pictures
        report.bytes = .init(total: 4_200_000_000, stored: 4_100_000_000)
        report.oldestWaiting = now - 7500
        report.nextAttempt = now + 120
        report.failures = Report.Failure.grouped([
            .init(path: "Pictures/写真/東京タワー.jpg", code: "file.EACCES", message: "Permission denied"),
            .init(
                path: "Pictures/a.mp4", code: "storage.EntityTooLarge", message: "The object exceeded the maximum size"),
            .init(
                path: "Pictures/b.mp4", code: "storage.EntityTooLarge", message: "The object exceeded the maximum size"),
            .init(
                path: "Pictures/c.mp4", code: "storage.EntityTooLarge", message: "The object exceeded the maximum size"),
        ])
        report.blocked = [
            .init(
                reason: "offline", files: 6, pictures: 5, message: "Could not resolve abc.supabase.co",
                path: "Pictures/a.jpg")
        ]
        report.roots = [
            .init(name: "Pictures", path: "/home/ada/Pictures", total: 950, stored: 941, bytes: 4_000_000_000),
            .init(
                name: "Camera", path: "/mnt/camera", total: 50, stored: 49, bytes: 200_000_000,
                paused: "/mnt/camera is gone"),
        ]
        report.kinds = [
            .init(name: "photo", total: 900, stored: 897, bytes: 2_100_000_000),
            .init(name: "video", total: 100, stored: 93, bytes: 2_100_000_000),
        ]
        report.recent = [
            .init(
                path: "Pictures/new.jpg", size: 2_000_000, storedAt: now - 60, kind: "photo",
                thumbnail: Data([0xFF, 0xD8]))
        ]
        report.notes = ["Camera is on a network disk, so it is watched by scanning every hour."]
        return report
    }()
}
