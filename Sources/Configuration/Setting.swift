import MediaModel
import Providers

/// One setting: its name, its format, and its place in `Settings`.
package struct Setting: Sendable {
    /// Dotted, such as `upload.limitRate`: its place in the configuration.
    package let key: String
    /// A description of its values, for messages and help.
    let expectation: String
    /// The value in the given settings, as the configuration file would write it.
    package let value: @Sendable (Settings) -> SettingValue
    let assign: @Sendable (SettingValue, inout Settings) throws(SettingFault) -> Void
    let assignSpoken: @Sendable (String, inout Settings) throws(SettingFault) -> Void

    init<Value>(
        _ key: String, _ place: any WritableKeyPath<Settings, Value> & Sendable, _ format: SettingFormat<Value>
    ) {
        self.key = key
        expectation = format.expectation
        value = { format.write($0[keyPath: place]) }
        assign = { (value, settings) throws(SettingFault) in settings[keyPath: place] = try format.read(value) }
        assignSpoken = { (text, settings) throws(SettingFault) in
            settings[keyPath: place] = try format.read(spoken: text)
        }
    }
}

extension Setting {
    /// The environment variable that sets it, such as `GALLERY_SYNC_UPLOAD_LIMIT_RATE`.
    package var variable: String {
        var name = Self.variablePrefix
        for character in key {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }

    static let variablePrefix = "GALLERY_SYNC_"

    /// Variables with our prefix that are not settings: secrets, and what must be known before any setting.
    package static let otherVariables =
        [
            AccountKey.variable, "GALLERY_SYNC_JWT_SECRET", "GALLERY_SYNC_CONFIG", "GALLERY_SYNC_PROFILE",
            "GALLERY_SYNC_STATE_DIR", "GALLERY_SYNC_SERVE_PASSWORD",
        ] + ProviderName.all.map(AccountKey.variable)

    /// The keys of the settings that name where objects are stored: with another value of one, it is another destination.
    package static let destinationKeys: Set = [
        "destination.url", "destination.local", "destination.bucket", "destination.prefix",
    ]

    /// The setting with this dotted key; `nil` for an unknown one.
    package static func named(_ key: String) -> Setting? { byKey[key] ?? own(key) }

    static func isKnown(_ key: String) -> Bool { byKey[key] != nil }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
}

extension Setting {
    /// Every setting, in the order of `config/gallery-sync.json5`.
    package static let all = uploading + rescue + running

    private static let uploading: [Setting] = [
        Setting("roots", \.roots, .list(.root, separator: ":")),
        Setting("destination.url", \.destination.url, .optional(.storageAddress)),
        Setting("destination.bucket", \.destination.bucket, .bucketName),
        Setting("destination.prefix", \.destination.prefix, .keyPrefix),
        Setting("destination.allowPublicBucket", \.destination.allowPublicBucket, .flag),
        Setting("destination.local", \.destination.local, .flag),
        Setting("destination.storageBudget", \.destination.storageBudget, .optional(.allowance)),
        Setting("destination.keyFile", \.destination.keyFile, .optional(.keyFile)),
        Setting("destination.metadataTable", \.destination.metadataTable, .optional(.tableName)),
        Setting("scan.interval", \.scan.interval, .duration(.seconds(1) ... .days(365))),
        Setting("scan.settle", \.scan.settle, .duration(.zero ... .days(1))),
        Setting("scan.ignore", \.scan.ignore, .list(.pattern, separator: ",")),
        Setting("scan.includeHidden", \.scan.includeHidden, .flag),
        Setting("scan.defaultRules", \.scan.defaultRules, .flag),
        Setting("identify.workers", \.identify.workers, .optional(.integer(1...64))),
        Setting("thumbnails.enabled", \.thumbnails.enabled, .flag),
        Setting("thumbnails.sizes", \.thumbnails.sizes, .list(.integer(16...4096), separator: ",")),
        Setting("thumbnails.maxBytes", \.thumbnails.maxBytes, .bytes(4000...20_000_000)),
        Setting("thumbnails.format", \.thumbnails.format, .choice(of: ThumbnailFormat.stored)),
        Setting("thumbnails.background", \.thumbnails.background, .colour),
        Setting("thumbnails.candidates", \.thumbnails.candidates, .integer(1...8)),
        Setting("thumbnails.cacheBytes", \.thumbnails.cacheBytes, .bytes(0...1_000_000_000_000)),
        Setting("thumbnails.workers", \.thumbnails.workers, .optional(.integer(1...64))),
        Setting("thumbnails.shared", \.thumbnails.shared, .flag),
        Setting("upload.concurrency", \.upload.concurrency, .integer(1...64)),
        Setting("upload.minConcurrency", \.upload.minConcurrency, .integer(1...64)),
        Setting("upload.maxConcurrency", \.upload.maxConcurrency, .integer(1...64)),
        Setting("upload.smallFileBytes", \.upload.smallFileBytes, .bytes(0...5_000_000_000)),
        Setting("upload.limitRate", \.upload.limitRate, .optional(.rates)),
        Setting("upload.cacheFor", \.upload.cacheFor, .duration(.zero ... .days(3650))),
        Setting("upload.connectTimeout", \.upload.connectTimeout, .duration(.seconds(1) ... .seconds(600))),
        Setting("upload.idleTimeout", \.upload.idleTimeout, .duration(.seconds(1) ... .seconds(3600))),
        Setting("upload.onForeign", \.upload.onForeign, .choice),
        Setting("upload.onChange", \.upload.onChange, .choice),
        Setting("upload.computer", \.upload.computer, .optional(.computerName)),
        Setting("retry.base", \.retry.base, .duration(.milliseconds(1) ... .days(1))),
        Setting("retry.factor", \.retry.factor, .decimal(1...100)),
        Setting("retry.cap", \.retry.cap, .duration(.milliseconds(1) ... .days(30))),
        Setting("retry.attempts", \.retry.attempts, .integer(1...1000)),
        Setting("sync.patience", \.sync.patience, .duration(.zero ... .days(30))),
        Setting("watch.polite", \.watch.polite, .flag),
        Setting("watch.pauseOnMetered", \.watch.pauseOnMetered, .flag),
        Setting("watch.pauseBelowCharge", \.watch.pauseBelowCharge, .integer(0...100)),
        Setting("watch.pauseOnPowerSaver", \.watch.pauseOnPowerSaver, .flag),
        Setting("watch.notifications", \.watch.notifications, .flag),
        Setting("watch.tray", \.watch.tray, .flag),
        Setting("page.enabled", \.page.enabled, .flag),
        Setting("page.cacheBytes", \.page.cacheBytes, .bytes(0...1_000_000_000_000)),
        Setting("page.port", \.page.port, .integer(0...65535)),
        Setting("verify.readBack", \.verify.readBack, .readBack),
    ]

    private static let running: [Setting] = [
        Setting("media.memory", \.media.memory, .bytes(134_217_728...68_719_476_736)),
        Setting("media.cpuTime", \.media.cpuTime, .duration(.seconds(1) ... .seconds(3600))),
        Setting("media.time", \.media.time, .duration(.seconds(1) ... .seconds(3600))),
        Setting("media.idle", \.media.idle, .duration(.zero ... .days(1))),
        Setting("report.prometheusFile", \.report.prometheusFile, .optional(.path)),
        Setting("log.level", \.log.level, .choice),
        Setting("log.format", \.log.format, .choice),
    ]
}

extension Duration {
    fileprivate static func days(_ days: Int) -> Duration { .seconds(days * 86400) }
}

extension Setting {
    /// Why the setting refuses `text` in a configuration, such as `is "x", expected one of "a", "b".`; `nil` when it
    /// accepts it.
    package func refusal(of text: String) -> String? {
        var settings = Settings()
        do throws(SettingFault) {
            try assign(.text(text), &settings)
            return nil
        } catch {
            return error.place.isEmpty ? error.reason : "\(error.place) \(error.reason)"
        }
    }
}

extension Settings {
    /// The dotted keys of the settings whose values in `former` are others, sorted; how the log is written does not count.
    package func changes(since former: Settings) -> [String] {
        (Setting.all + Setting.own(of: self)).filter { setting in
            !setting.key.hasPrefix("log.") && setting.value(self).line != setting.value(former).line
        }.map(\.key).sorted()
    }
}
