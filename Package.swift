// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Rejects every unmarked pointer; only the modules that own a C library do without it.
let pointerFree = strict + [.strictMemorySafety()]

/// A module that owns a C library: no C type, pointer or constant leaves it.
func owner(_ name: String, of libraries: [String], using modules: [String] = []) -> Target {
    .target(
        name: name, dependencies: (libraries + modules).map { .byName(name: $0) }, swiftSettings: strict)
}

func module(_ name: String, using modules: [String]) -> Target {
    .target(name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: pointerFree)
}

func program(_ name: String, using modules: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: pointerFree)
}

/// Tests of `name`; what they import is listed, so the list is honest.
func tests(_ name: String, using modules: [String]) -> Target {
    .testTarget(
        name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: strict)
}

let targets: [Target] = [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CMicroHTTPD"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CHeif"),
    .systemLibrary(name: "CExif"),
    .systemLibrary(name: "CRaw"),
    .systemLibrary(name: "CWebP"),
    .systemLibrary(name: "CLCMS"),

    module("Formats", using: []),
    module("Cleansing", using: []),
    owner("Platform", of: ["CLinux", "COpenSSL"]),
    owner("Transfer", of: ["CCurl"], using: ["Cleansing", "Platform"]),
    owner("Serving", of: ["CMicroHTTPD"], using: ["Formats", "Platform"]),
    owner("Database", of: ["CSQLite"]),
    module("MediaModel", using: ["Formats"]),
    owner("Media", of: ["CFFmpeg", "CHeif", "CExif", "CRaw", "CWebP", "CLCMS"], using: ["MediaModel"]),
    module("Supabase", using: ["Formats", "Cleansing", "Platform", "Transfer"]),
    module("Providers", using: ["Formats", "Cleansing", "Platform", "Transfer", "Supabase"]),
    module("Text", using: ["Formats", "Cleansing", "Platform"]),
    module("Configuration", using: ["Cleansing", "Platform", "MediaModel", "Supabase", "Providers", "Text"]),
    module("Queue", using: ["Cleansing", "Platform", "Text", "Configuration"]),
    module(
        "Catalog",
        using: [
            "Cleansing", "Platform", "Database", "MediaModel", "Supabase", "Providers", "Text", "Configuration",
            "Queue",
        ]),
    module(
        "Sync",
        using: [
            "Cleansing", "Platform", "Transfer", "MediaModel", "Supabase", "Text", "Configuration", "Queue", "Catalog",
        ]),
    module(
        "Restoring",
        using: ["Platform", "Transfer", "Supabase", "Text", "Configuration", "Queue", "Catalog", "Sync"]),
    module(
        "Rescue",
        using: [
            "Cleansing", "Platform", "Transfer", "MediaModel", "Supabase", "Providers", "Text", "Configuration",
            "Queue", "Catalog", "Sync", "Restoring",
        ]),
    module(
        "Reporting",
        using: ["Formats", "Platform", "Text", "Configuration", "Queue", "Catalog", "Sync", "Rescue"]),
    module(
        "Gallery",
        using: [
            "Cleansing", "Platform", "Transfer", "Serving", "Database", "MediaModel", "Supabase", "Providers", "Text",
            "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue", "Reporting",
        ]),
    module("StorageServer", using: ["Formats", "Platform", "Serving", "Database"]),
    module("ProviderServer", using: ["Formats", "Platform", "Transfer", "Serving", "Supabase", "Providers"]),

    program(
        "GallerySync",
        using: [
            "Cleansing", "Platform", "Transfer", "Serving", "Supabase", "Providers", "MediaModel", "Text",
            "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue", "Reporting", "Gallery",
            "StorageServer", "ProviderServer",
        ]),
    program("MediaWorker", using: ["Platform", "MediaModel", "Media"]),
    program(
        "Benchmarks",
        using: [
            "Platform", "Transfer", "Serving", "Database", "MediaModel", "Supabase", "Text", "Configuration", "Queue",
            "Catalog", "Sync", "Restoring", "Rescue", "Reporting", "Gallery", "StorageServer",
        ]),

    .target(
        name: "TestSupport", dependencies: ["Platform", "Transfer", "Serving", "Supabase", "ProviderServer"],
        path: "Tests/TestSupport",
        swiftSettings: strict),
    tests("FormatsTests", using: ["Formats"]),
    tests("CleansingTests", using: ["Cleansing"]),
    tests("PlatformTests", using: ["Platform", "CLinux", "TestSupport"]),
    tests("TransferTests", using: ["Transfer", "Platform", "TestSupport"]),
    tests("ServingTests", using: ["Serving", "Transfer", "Platform", "TestSupport"]),
    tests("DatabaseTests", using: ["Database"]),
    tests("MediaModelTests", using: ["MediaModel"]),
    tests("MediaTests", using: ["Media", "MediaModel", "Platform", "TestSupport"]),
    tests(
        "SupabaseTests",
        using: ["Supabase", "StorageServer", "Serving", "Transfer", "Platform", "TestSupport"]),
    tests("ProvidersTests", using: ["Providers", "Supabase", "Transfer", "Cleansing", "TestSupport"]),
    tests(
        "ProviderServerTests",
        using: ["ProviderServer", "Providers", "Serving", "Supabase", "Transfer", "Platform", "TestSupport"]),
    tests(
        "StorageServerTests",
        using: ["StorageServer", "Serving", "Supabase", "Transfer", "Database", "Platform", "TestSupport"]),
    tests(
        "GalleryTests",
        using: [
            "Text", "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue", "Reporting", "Gallery",
            "Providers", "ProviderServer", "Supabase", "StorageServer", "Serving", "Transfer", "Database",
            "MediaModel", "Platform", "TestSupport",
        ]),
    tests(
        "BenchmarksTests",
        using: [
            "Benchmarks", "Text", "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue", "Reporting",
            "Gallery", "MediaModel", "Platform", "TestSupport",
        ]),
    tests(
        "GallerySyncTests",
        using: [
            "GallerySync", "Text", "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue", "Reporting",
            "Gallery", "Providers", "StorageServer", "Supabase", "Transfer", "Cleansing", "Platform",
            "TestSupport",
        ]),
    tests(
        "EndToEndTests",
        using: [
            "GallerySync", "MediaWorker", "Text", "Configuration", "Queue", "Catalog", "Sync", "Restoring", "Rescue",
            "Reporting", "Gallery", "StorageServer", "ProviderServer", "Providers", "Supabase",
            "Serving",
            "Transfer", "Platform", "TestSupport",
        ]),
]

let package = Package(
    name: "gallery-sync",
    products: [
        .executable(name: "gallery-sync", targets: ["GallerySync"]),
        .executable(name: "gallery-sync-media", targets: ["MediaWorker"]),
        .executable(name: "gallery-sync-bench", targets: ["Benchmarks"]),
    ],
    targets: targets)
