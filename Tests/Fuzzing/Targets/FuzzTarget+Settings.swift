import Configuration
import Platform

extension FuzzTarget {
    static let settings = [
        FuzzTarget("settings", texts: files) { text in
            var sources = SettingSources(home: FilePath("/home/u"))
            sources.file = ConfigurationFile(path: FilePath("/c"), bytes: Array(text.utf8))
            guard let loaded = try? sources.load() else { return nil }
            return unless(loaded.rows.allSatisfy { !$0.value.line.isEmpty }, "a setting without a value")
        },
        FuzzTarget("setting-value", texts: ["{a: [1, 2.5, 'x', null, true]}", "0x10", "1e300", "-Infinity"]) { text in
            guard let value = try? SettingValue.parsing(Array(text.utf8)) else { return nil }
            // Skips infinity and NaN, which JSON5 can express, but JSON cannot.
            guard !value.line.contains("inf"), !value.line.contains("nan") else { return nil }
            let again = try? SettingValue.parsing(Array(value.line.utf8))
            return unless(again?.line == value.line, "\(value.line) is read as \(again?.line ?? "nothing")")
        },
    ]

    private static let files = [
        "{profiles: {default: {roots: [{name: 'P', path: '~/P'}], thumbnails: {sizes: [512]}}}}",
        "{profiles: {default: {upload: {limitRate: '1MB', concurrency: 4}, rescue: {providers: {}}}}}",
        "{/* c */ \"profiles\": {\"default\": {\"destination\": {\"url\": \"https://x.supabase.co\", \"bucket\": \"media\",}}}}",
        "{profiles: {default: 1e300}}", "{profiles: {default: {upload: {concurrency: 0x0x1}}}}",
    ]
}
