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

/// For what works on pixels or bytes one by one, which takes ten times as long without it.
///
/// Tests of pictures do little else, and cleansing every answer of secrets was a sixth of what the others do.
/// What traps in a debug build traps as well: numbers that do not fit, places outside of an array, preconditions.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A module that owns a C library: its types, pointers and constants reach none but other owners.
func owner(
    _ name: String, of libraries: [String], using modules: [String] = [], settings: [SwiftSetting] = strict,
    linking: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: name, dependencies: (libraries + modules).map { .byName(name: $0) }, swiftSettings: settings,
        linkerSettings: linking)
}

/// An owner that decodes or draws.
func decoder(_ name: String, of libraries: [String], using modules: [String]) -> Target {
    owner(name, of: libraries, using: modules, settings: strict + optimized)
}

func module(
    _ name: String, using modules: [String], without folders: [String] = [], settings: [SwiftSetting] = pointerFree
) -> Target {
    .target(
        name: name, dependencies: modules.map { .byName(name: $0) }, exclude: folders, swiftSettings: settings)
}

func program(_ name: String, using modules: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: pointerFree)
}

/// Tests of `name`; what they import is listed, so the list is honest.
func tests(_ name: String, using modules: [String], settings: [SwiftSetting] = strict) -> Target {
    .testTarget(
        name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: settings)
}

let targets: [Target] = [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CSeccomp"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CMicroHTTPD"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CHeif"),
    .systemLibrary(name: "CExif"),
    .systemLibrary(name: "CRaw"),
    .systemLibrary(name: "CWebP"),
    .systemLibrary(name: "CLCMS"),
    .systemLibrary(name: "CTIFF"),
    .systemLibrary(name: "CPNG"),
    .systemLibrary(name: "CJPEG"),
    .systemLibrary(name: "COpenJPEG"),
    .systemLibrary(name: "COpenEXR"),
    .systemLibrary(name: "CJXL"),
    .systemLibrary(name: "CBrotli"),
    .systemLibrary(name: "CDeflate"),
    .target(name: "CPage"),
    .target(name: "CPoppler", linkerSettings: [.linkedLibrary("poppler-cpp"), .linkedLibrary("fontconfig")]),

    module("Formats", using: []),
    module("Cleansing", using: [], settings: pointerFree + optimized),
    owner(
        "Platform", of: ["CLinux", "COpenSSL", "CSeccomp"],
        // Platform/Threads/DispatchMonitor.swift says why.
        linking: [.unsafeFlags(["-Xlinker", "--wrap=dispatch_source_set_timer"])]),
    owner("Transfer", of: ["CCurl"], using: ["Formats", "Cleansing", "Platform"]),
    owner("Serving", of: ["CMicroHTTPD"], using: ["Formats", "Platform"]),
    owner("Database", of: ["CSQLite"]),
    owner("Desktop", of: ["CSystemd"], using: ["Formats", "Platform"]),
    module("MediaModel", using: ["Formats"]),
    decoder("Frames", of: ["CFFmpeg", "CHeif", "CLCMS"], using: ["MediaModel"]),
    decoder("Facts", of: ["CExif", "CBrotli"], using: ["MediaModel"]),
    decoder("Light", of: ["CFFmpeg"], using: ["MediaModel", "Frames"]),
    decoder("EXR", of: ["CFFmpeg", "COpenEXR"], using: ["MediaModel", "Frames", "Light"]),
    decoder("JPEG", of: ["CFFmpeg", "CJPEG"], using: ["Frames", "Facts"]),
    decoder("TIFF", of: ["CFFmpeg", "CTIFF"], using: ["MediaModel", "Frames"]),
    decoder("GIF", of: ["CFFmpeg"], using: ["MediaModel", "Frames"]),
    decoder("JXL", of: ["CFFmpeg", "CJXL"], using: ["MediaModel", "Frames"]),
    decoder("Documents", of: ["CFFmpeg", "CPoppler"], using: ["Frames"]),
    decoder(
        "Media",
        of: ["CFFmpeg", "CHeif", "CRaw", "CWebP", "CPNG", "COpenJPEG", "CDeflate"],
        using: ["MediaModel", "Frames", "Facts", "Light", "EXR", "JPEG", "TIFF", "GIF", "JXL", "Documents"]),
    decoder("MediaMaking", of: ["CFFmpeg", "CHeif"], using: ["MediaModel", "Frames"]),
    module("Supabase", using: ["Formats", "Cleansing", "Platform", "Transfer"]),
    module("Providers", using: ["Formats", "Cleansing", "Platform", "Transfer", "Supabase"]),
    module("Text", using: ["Formats", "Cleansing", "Platform"]),
    module(
        "Configuration", using: ["Formats", "Cleansing", "Platform", "MediaModel", "Supabase", "Providers", "Text"]),
    module("Roots", using: ["Platform", "Configuration"]),
    module("Queue", using: ["Cleansing", "Platform", "MediaModel", "Supabase", "Text", "Configuration"]),
    module("Records", using: ["Formats", "Platform", "MediaModel", "Text", "Configuration", "Roots", "Queue"]),
    module("Tables", using: ["Platform", "Database", "MediaModel", "Queue", "Records"]),
    module(
        "Catalog",
        using: [
            "Formats", "Cleansing", "Platform", "Database", "MediaModel", "Supabase", "Text", "Configuration", "Roots",
            "Queue", "Records", "Tables",
        ]),
    module(
        "Metadata",
        using: [
            "Platform", "Database", "MediaModel", "Supabase", "Text", "Configuration", "Queue", "Records", "Tables",
            "Catalog",
        ]),
    module("Audit", using: ["Platform", "Providers", "Text", "Queue", "Records", "Catalog"]),
    module(
        "Uploading",
        using: [
            "Formats", "Platform", "Transfer", "MediaModel", "Supabase", "Text", "Configuration", "Roots", "Queue",
            "Records",
            "Catalog",
        ]),
    module(
        "Sync",
        using: [
            "Formats", "Cleansing", "Platform", "Transfer", "MediaModel", "Supabase", "Text", "Configuration", "Roots",
            "Queue", "Records", "Catalog", "Metadata", "Audit", "Uploading",
        ]),
    module(
        "Reconciling",
        using: [
            "Platform", "Transfer", "Supabase", "Text", "Configuration", "Roots", "Queue", "Records", "Catalog",
            "Audit", "Uploading", "Sync",
        ]),
    module(
        "Restoring",
        using: [
            "Platform", "Transfer", "Supabase", "Text", "Configuration", "Queue", "Records", "Uploading",
            "Sync",
        ]),
    module(
        "Rescue",
        using: [
            "Cleansing", "Platform", "Transfer", "MediaModel", "Supabase", "Providers", "Text", "Configuration",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Restoring",
        ]),
    module("Generating", using: ["Providers", "Records", "Rescue"]),
    module(
        "Reporting",
        using: [
            "Formats", "Platform", "Database", "MediaModel", "Supabase", "Text", "Configuration", "Roots",
            "Queue", "Records", "Tables", "Catalog", "Uploading", "Sync", "Rescue",
        ]),
    module(
        "Browsing",
        using: ["Formats", "Platform", "Database", "MediaModel", "Roots", "Queue", "Records", "Tables", "Catalog"]),
    owner("PageFiles", of: ["CPage"]),
    module(
        "Dashboard",
        using: [
            "Formats", "Platform", "Serving", "MediaModel", "Text", "Roots", "Queue", "Records", "Catalog", "Uploading",
            "Sync",
            "Reporting", "Browsing", "PageFiles",
        ], without: ["Page"]),
    module(
        "Access",
        using: [
            "Platform", "Transfer", "Supabase", "Configuration", "Queue", "Records",
        ]),
    module(
        "Diagnosis",
        using: [
            "Platform", "Transfer", "Desktop", "MediaModel", "Supabase", "Providers", "Text", "Configuration", "Roots",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Reporting",
        ]),
    module(
        "Narration",
        using: [
            "Desktop", "Text", "Configuration", "Roots", "Queue", "Records", "Catalog", "Uploading", "Sync", "Rescue",
            "Reporting",
        ]),
    module(
        "Gallery",
        using: [
            "Cleansing", "Platform", "Transfer", "Database", "Desktop", "MediaModel", "Supabase", "Providers", "Text",
            "Configuration", "Roots", "Queue", "Records", "Catalog", "Audit", "Uploading", "Sync", "Reconciling",
            "Restoring", "Rescue", "Generating", "Reporting", "Dashboard", "Access", "Diagnosis", "Narration",
        ]),
    module(
        "Control",
        using: [
            "Platform", "Transfer", "Serving", "Desktop", "Supabase", "Providers", "Text", "Configuration", "Roots",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Reconciling", "Restoring", "Rescue", "Generating",
            "Reporting",
            "Dashboard",
            "Gallery",
        ]),
    module(
        "Output",
        using: [
            "Cleansing", "Platform", "MediaModel", "Supabase", "Text", "Configuration", "Queue", "Records", "Uploading",
            "Sync", "Restoring", "Reporting", "Diagnosis", "Narration", "Gallery",
        ]),
    module("ObjectStore", using: ["Formats", "Platform", "Serving", "Database"]),
    module("StorageServer", using: ["Formats", "Platform", "Serving", "Database", "ObjectStore"]),
    module("ProviderServer", using: ["Formats", "Platform", "Transfer", "Serving", "Supabase", "Providers"]),

    module(
        "CommandLine",
        using: [
            "Cleansing", "Platform", "Transfer", "Desktop", "Supabase", "Providers", "Text", "Configuration", "Roots",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Rescue", "Reporting", "Browsing", "Dashboard",
            "Access",
            "Diagnosis", "Gallery", "Control", "Output", "ObjectStore", "StorageServer",
        ]),

    module(
        "SetUp",
        using: [
            "Platform", "Transfer", "Supabase", "Text", "Configuration", "Roots", "Records", "Uploading", "Sync",
            "Dashboard", "Access",
            "Diagnosis", "Gallery", "Output", "CommandLine",
        ]),

    module(
        "Demonstration",
        using: [
            "Platform", "Transfer", "Serving", "Supabase", "Providers", "Text", "Configuration", "Queue", "Records",
            "Catalog",
            "Restoring", "Rescue", "Reporting", "Gallery", "Output", "StorageServer", "ProviderServer", "CommandLine",
        ]),

    module(
        "ThumbnailFiles",
        using: ["Platform", "MediaModel", "Text", "Configuration", "Roots", "Sync", "Output"]),

    program(
        "GallerySync",
        using: [
            "Formats", "Cleansing", "Platform", "Transfer", "Serving", "Desktop", "Supabase", "Providers", "MediaModel",
            "Text",
            "Configuration", "Roots", "Queue", "Records", "Catalog", "Uploading", "Sync", "Reconciling", "Restoring",
            "Rescue", "Generating",
            "Reporting",
            "Browsing", "Dashboard", "Access", "Diagnosis", "Gallery", "Control", "Output", "ObjectStore",
            "StorageServer", "CommandLine", "SetUp", "Demonstration", "ThumbnailFiles",
        ]),
    program("MediaWorker", using: ["Platform", "MediaModel", "Media", "MediaMaking"]),
    program(
        "Benchmarks",
        using: [
            "Platform", "Transfer", "MediaModel", "Supabase", "Configuration", "Roots", "Queue", "Catalog",
            "Uploading",
            "Gallery",
        ]),

    // The programs that try the others, and are not shipped.
    .target(name: "CSimulation", path: "Tests/CSimulation"),
    .target(
        name: "Simulation", dependencies: ["CSimulation", "Platform"], path: "Tests/Simulation",
        swiftSettings: strict),
    .executableTarget(
        name: "Simulator",
        dependencies: [
            "Platform", "Transfer", "Serving", "MediaModel", "Supabase", "Providers", "Text", "Configuration", "Roots",
            "Queue", "Records", "Catalog", "Browsing", "Uploading", "Sync", "Reconciling", "Restoring", "Rescue",
            "Generating",
            "Narration", "Gallery", "StorageServer", "ProviderServer", "Access", "Simulation",
        ], path: "Tests/Simulator", swiftSettings: pointerFree),
    .target(name: "CFuzzing", path: "Tests/CFuzzing"),
    .executableTarget(
        name: "Fuzzing",
        dependencies: [
            "CFuzzing", "Formats", "Cleansing", "Platform", "Transfer", "Serving", "MediaModel", "Media", "MediaMaking",
            "Supabase", "Providers", "Text", "Configuration", "Queue", "StorageServer",
        ], path: "Tests/Fuzzing", swiftSettings: strict),

    .target(
        name: "TestSupport", dependencies: ["Platform", "Transfer", "Serving", "Supabase", "ProviderServer"],
        path: "Tests/TestSupport",
        swiftSettings: strict),
    .target(
        name: "Fixtures",
        dependencies: [
            "Platform", "Transfer", "Serving", "Database", "MediaModel", "Supabase", "Providers", "Text", "Roots",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Restoring", "Rescue", "StorageServer", "TestSupport",
        ],
        path: "Tests/Fixtures", swiftSettings: strict),
    tests("FormatsTests", using: ["Formats"]),
    tests("CleansingTests", using: ["Cleansing", "TestSupport"]),
    tests("PlatformTests", using: ["CLinux", "CSeccomp", "Platform", "TestSupport"]),
    tests("TransferTests", using: ["Platform", "Transfer", "TestSupport"]),
    tests("ServingTests", using: ["Platform", "Transfer", "Serving", "TestSupport"]),
    tests("DatabaseTests", using: ["Database", "Platform", "TestSupport"]),
    tests("DesktopTests", using: ["CSystemd", "Platform", "Desktop", "TestSupport"]),
    tests("MediaModelTests", using: ["MediaModel"]),
    tests(
        "MediaTests",
        using: [
            "CDeflate", "CFFmpeg", "CHeif", "CTIFF", "CJPEG", "CJXL", "Platform", "MediaModel", "Frames", "Facts",
            "JPEG", "TIFF", "GIF", "JXL", "Documents", "Media", "MediaMaking", "TestSupport",
        ], settings: strict + optimized),
    tests("SupabaseTests", using: ["Platform", "Transfer", "Serving", "Supabase", "StorageServer", "TestSupport"]),
    tests("ProvidersTests", using: ["Cleansing", "Transfer", "Supabase", "Providers", "TestSupport"]),
    tests("TextTests", using: ["Platform", "Text", "TestSupport"]),
    tests("ConfigurationTests", using: ["Platform", "Supabase", "Providers", "Text", "Configuration", "TestSupport"]),
    tests("RootsTests", using: ["Platform", "Configuration", "Roots", "TestSupport"]),
    tests("QueueTests", using: ["Platform", "MediaModel", "Supabase", "Text", "Queue", "Fixtures", "TestSupport"]),
    tests(
        "RecordsTests",
        using: ["Platform", "MediaModel", "Configuration", "Roots", "Queue", "Records", "TestSupport"]),
    tests(
        "CatalogTests",
        using: [
            "Platform", "Database", "MediaModel", "Text", "Roots", "Queue", "Records", "Tables", "Catalog", "Metadata",
            // What a report reads of a library, as of an older one.
            "Reporting", "Fixtures", "TestSupport",
        ]),
    tests(
        "AuditTests",
        using: ["Platform", "Providers", "Queue", "Records", "Catalog", "Audit", "Fixtures", "TestSupport"]),
    tests(
        "BrowsingTests",
        using: [
            "Platform", "Database", "MediaModel", "Roots", "Queue", "Records", "Tables", "Catalog", "Browsing",
            "Fixtures",
            "TestSupport",
        ]),
    tests(
        "UploadingTests",
        using: [
            "Platform", "Transfer", "Database", "MediaModel", "Supabase", "Text", "Configuration", "Roots", "Queue",
            "Records", "Catalog", "Uploading", "Sync", "Fixtures", "TestSupport",
        ]),
    tests(
        "SyncTests",
        using: [
            "Platform", "Transfer", "MediaModel", "Supabase", "Text", "Configuration", "Roots", "Queue", "Records",
            "Catalog", "Audit",
            "Uploading", "Sync", "Fixtures", "TestSupport",
        ]),
    tests("ReconcilingTests", using: ["Queue", "Records", "Sync", "Reconciling"]),
    tests(
        "RestoringTests",
        using: [
            "Platform", "Transfer", "Serving", "Supabase", "Text", "Configuration", "Queue", "Records", "Catalog",
            "Uploading",
            "Sync", "Restoring", "StorageServer", "Fixtures", "TestSupport",
        ]),
    tests(
        "RescueTests",
        using: [
            "Platform", "Transfer", "Serving", "MediaModel", "Supabase", "Providers", "Text", "Configuration",
            "Queue", "Records", "Catalog", "Uploading", "Sync", "Restoring", "Rescue", "ProviderServer", "Fixtures",
            "TestSupport",
        ]),
    tests(
        "GeneratingTests",
        using: [
            "Platform", "Transfer", "Supabase", "Providers", "Queue", "Records", "Catalog", "Rescue", "Generating",
            "ProviderServer", "Fixtures", "TestSupport",
        ]),
    tests(
        "ReportingTests",
        using: [
            "Platform", "Transfer", "Database", "Supabase", "Providers", "Text", "Configuration", "Roots", "Queue",
            "Records", "Catalog", "Uploading", "Sync", "Rescue", "Reporting", "Fixtures", "TestSupport",
        ]),
    tests(
        "DashboardTests",
        using: [
            "Cleansing", "Platform", "Serving", "MediaModel", "Text", "Roots", "Queue", "Records", "Catalog",
            "Uploading", "Sync",
            "Reporting", "Browsing", "PageFiles", "Dashboard", "Fixtures", "TestSupport",
        ]),
    tests(
        "AccessTests",
        using: [
            "Platform", "Transfer", "Supabase", "Configuration", "Records", "Catalog", "Access", "StorageServer",
            "TestSupport",
        ]),
    tests(
        "DiagnosisTests",
        using: [
            "Platform", "Transfer", "Serving", "Desktop", "MediaModel", "Supabase", "Providers", "Configuration",
            "Records", "Catalog", "Uploading", "Sync", "Reporting", "Diagnosis", "ProviderServer", "Fixtures",
            "TestSupport",
        ]),
    tests(
        "NarrationTests",
        using: [
            "Platform", "Desktop", "Providers", "Text", "Configuration", "Roots", "Queue", "Records", "Catalog",
            "Uploading",
            "Sync", "Rescue", "Reporting", "Narration", "Fixtures",
        ]),
    tests(
        "GalleryTests",
        using: [
            "Platform", "Transfer", "Serving", "Database", "Desktop", "MediaModel", "Supabase", "Providers", "Text",
            "Configuration", "Roots", "Queue", "Records", "Catalog", "Uploading", "Sync", "Reconciling", "Restoring",
            "Rescue", "Generating",
            "Reporting",
            "Dashboard", "Access", "Diagnosis", "Narration", "Gallery", "Control", "StorageServer", "ProviderServer",
            "Fixtures", "TestSupport",
        ]),
    tests(
        "ControlTests",
        using: [
            "Platform", "Transfer", "Supabase", "Providers", "Configuration", "Text", "Queue", "Records", "Catalog",
            "Reconciling", "Restoring", "Rescue", "Generating", "Reporting", "Dashboard", "Gallery", "Control",
            "TestSupport",
        ]),
    tests(
        "OutputTests",
        using: [
            "Cleansing", "Platform", "MediaModel", "Supabase", "Text", "Configuration", "Queue", "Records", "Catalog",
            "Uploading", "Sync", "Rescue", "Narration", "Gallery", "Output", "Fixtures", "TestSupport",
        ]),
    tests("ObjectStoreTests", using: ["Platform", "Serving", "Database", "ObjectStore", "TestSupport"]),
    tests(
        "StorageServerTests",
        using: [
            "Platform", "Transfer", "Serving", "Database", "Supabase", "ObjectStore", "StorageServer", "TestSupport",
        ]),
    tests(
        "ProviderServerTests",
        using: [
            "Platform", "Transfer", "Supabase", "Providers", "ProviderServer", "TestSupport",
        ]),
    tests(
        "ThumbnailFilesTests",
        using: ["Platform", "MediaModel", "Configuration", "Roots", "Sync", "Output", "ThumbnailFiles", "TestSupport"]),
    tests(
        "GallerySyncTests",
        using: [
            "Cleansing", "Platform", "Transfer", "Desktop", "Supabase", "Providers", "Text", "Configuration", "Queue",
            "Records", "Catalog", "Rescue", "Generating", "Reporting", "Dashboard", "Diagnosis", "Gallery", "Control",
            "Output",
            "StorageServer", "CommandLine", "SetUp", "Demonstration", "GallerySync", "Fixtures", "TestSupport",
        ]),
    tests("BenchmarksTests", using: ["Platform", "MediaModel", "Queue", "Benchmarks", "TestSupport"]),
    tests("SimulatorTests", using: ["Platform", "Simulator", "TestSupport"]),
    tests("FuzzingTests", using: ["Platform", "JXL", "Fuzzing", "TestSupport"]),
    tests(
        "EndToEndTests",
        using: [
            "Platform", "Transfer", "Serving", "Supabase", "Providers", "Text", "Queue", "Catalog", "Rescue",
            "Reporting", "StorageServer", "ProviderServer", "GallerySync", "MediaWorker", "TestSupport",
        ]),
]

let package = Package(
    name: "gallery-sync",
    products: [
        .executable(name: "gallery-sync", targets: ["GallerySync"]),
        .executable(name: "gallery-sync-media", targets: ["MediaWorker"]),
        .executable(name: "gallery-sync-bench", targets: ["Benchmarks"]),
        .executable(name: "gallery-sync-simulate", targets: ["Simulator"]),
        .executable(name: "gallery-sync-fuzz", targets: ["Fuzzing"]),
    ],
    targets: targets)
