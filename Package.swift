// swift-tools-version: 6.2
import PackageDescription

/// One strictness for every target: language mode 6, explicit imports, marked unsafety, no
/// warnings.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let asyncHTTP = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, resources: resources,
    swiftSettings: strict)
}

func command(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

// A target imports only what stands above it.
let package = Package(
  name: "paidline",
  // For the fuzzer, a package of its own. Executables are products by themselves.
  products: [.library(name: "ExportReading", targets: ["ExportReading"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    // What these packages need: exact too, because Package.resolved is not kept.
    .package(url: "https://github.com/apple/swift-algorithms", exact: "1.2.1"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", exact: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-transport-services", exact: "1.28.0"),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", path: "Sources/Basics/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CProcess", path: "Sources/Basics/CProcess"),
    library("Parallel", path: "Sources/Basics/Parallel"),
    library("Amounts", path: "Sources/Basics/Amounts"),
    library("TemporaryFiles", ["Diagnostics", "Parallel"], path: "Sources/Stores/TemporaryFiles"),
    library("CivilTime", path: "Sources/Basics/CivilTime"),
    library("Diagnostics", path: "Sources/Basics/Diagnostics"),
    library(
      "ExchangeRates", ["Amounts", "CivilTime", "Parallel"], path: "Sources/Basics/ExchangeRates"),
    library("PurchaseModel", ["Amounts", "CivilTime"], path: "Sources/Model/PurchaseModel"),
    library(
      "ExportReading",
      ["CZlib", "Amounts", "CivilTime", "Diagnostics", "PurchaseModel", crypto],
      path: "Sources/Steps/ExportReading"),
    library(
      "SignedTransactions",
      [
        "Amounts", "CivilTime", "Diagnostics", "ExportReading", "PurchaseModel", asn1, crypto, x509,
      ],
      path: "Sources/Steps/SignedTransactions"),
    library(
      "AppleReports", ["Amounts", "CivilTime", "Diagnostics", "ExportReading", "PurchaseModel"],
      path: "Sources/Steps/AppleReports"),
    library(
      "Reconciling", ["Amounts", "AppleReports", "CivilTime", "PurchaseModel"],
      path: "Sources/Steps/Reconciling"),
    library(
      "Purchases", ["Amounts", "CivilTime", "Parallel", "PurchaseModel", crypto],
      path: "Sources/Steps/Purchases"),
    library(
      "PriceLearning", ["Amounts", "CivilTime", "Parallel", "PurchaseModel"],
      path: "Sources/Steps/PriceLearning"),
    library(
      "PaidAmounts",
      ["Amounts", "CivilTime", "Parallel", "PriceLearning", "PurchaseModel", "Purchases"],
      path: "Sources/Steps/PaidAmounts"),
    library(
      "Subscriptions",
      ["Amounts", "CivilTime", "PurchaseModel", "Purchases", "PaidAmounts"],
      path: "Sources/Steps/Subscriptions"),
    library(
      "Proceeds",
      [
        "Amounts", "CivilTime", "ExchangeRates", "PurchaseModel", "Purchases", "PaidAmounts",
      ], path: "Sources/Steps/Proceeds"),
    library(
      "Joining", ["PaidAmounts", "PriceLearning", "PurchaseModel", "Purchases"],
      path: "Sources/Steps/Joining"),
    library(
      "Deciding",
      [
        "Amounts", "CivilTime", "ExchangeRates", "PaidAmounts", "PriceLearning", "Proceeds",
        "PurchaseModel", "Purchases", "Subscriptions",
      ],
      path: "Sources/Steps/Deciding"),
    library(
      "SQLiteFiles", ["Diagnostics", "TemporaryFiles", grdb, grdbSQLite],
      path: "Sources/Stores/SQLiteFiles"),
    library(
      "SharedTables", ["CivilTime", "Diagnostics", "PurchaseModel", "SQLiteFiles", grdb],
      path: "Sources/Stores/SharedTables"),
    library(
      "StateStore",
      [
        "Amounts", "AppleReports", "CZlib", "CivilTime", "Diagnostics", "PaidAmounts", "Parallel",
        "PriceLearning", "PurchaseModel", "Purchases", "SharedTables", "SQLiteFiles",
        "TemporaryFiles", crypto, grdb,
      ],
      path: "Sources/Stores/StateStore", resources: [.embedInCode("Schema")]),
    library(
      "Warehouse",
      [
        "Amounts", "AppleReports", "CivilTime", "Deciding", "Diagnostics", "ExchangeRates",
        "Parallel", "PriceLearning", "PurchaseModel", "Purchases", "PaidAmounts", "Proceeds",
        "Reconciling",
        "SharedTables", "SQLiteFiles", "Subscriptions", "TemporaryFiles", crypto, grdb,
      ],
      path: "Sources/Stores/Warehouse",
      resources: [
        .embedInCode("Schema"), .embedInCode("DataTests"), .embedInCode("Questions"),
      ]),
    library(
      "SampleStore", ["CZlib", "Amounts", "CivilTime", "PurchaseModel", asn1, crypto, x509],
      path: "Tests/Samples/SampleStore"),
    library(
      "Pipeline",
      [
        "Amounts", "AppleReports", "CProcess", "CivilTime", "Deciding", "Diagnostics",
        "ExchangeRates", "ExportReading", "Joining", "PaidAmounts", "Parallel", "PriceLearning",
        "PurchaseModel", "Purchases", "Reconciling", "SQLiteFiles", "SharedTables",
        "SignedTransactions", "StateStore", "TemporaryFiles", "Warehouse", crypto, logging,
        systemPackage, yams,
      ], path: "Sources/Pipeline/Pipeline"),
    library(
      "Publishing",
      [
        "Amounts", "CivilTime", "Diagnostics", "Pipeline", "PurchaseModel", "Warehouse", crypto,
        logging, mustache, yams,
      ],
      path: "Sources/Pipeline/Publishing",
      resources: [.embedInCode("Templates")]),
    library(
      "AppStoreClient",
      [
        "Amounts", "AppleReports", "CivilTime", "Diagnostics", "ExportReading", "Pipeline",
        "PurchaseModel",
        "SignedTransactions", "StateStore", "TemporaryFiles", asn1, crypto, logging, systemPackage,
        x509,
      ], path: "Sources/Pipeline/AppStoreClient"),
    library(
      "Answers",
      [
        "Amounts", "AppStoreClient", "CivilTime", "Deciding", "Diagnostics", "ExportReading",
        "PaidAmounts", "Pipeline", "PriceLearning", "PurchaseModel",
        "Purchases", "SharedTables", "StateStore", "TemporaryFiles", "Warehouse", crypto,
      ], path: "Sources/Pipeline/Answers"),
    library(
      "AppleService", ["AppStoreClient", asyncHTTP, nioCore, nioHTTP1],
      path: "Sources/Pipeline/AppleService"),
    library(
      "Commands",
      [
        "Amounts", "Answers", "AppStoreClient", "CivilTime", "Diagnostics", "Pipeline",
        "Publishing", "PurchaseModel", "SharedTables", "StateStore", "TemporaryFiles", "Warehouse",
        argumentParser, logging, systemPackage,
      ], path: "Sources/Pipeline/Commands"),
    command("paidline", ["Commands"]),
    command("paidline-ingest", ["Commands"]),
    command("paidline-reconstruct", ["Commands"]),
    command("paidline-publish", ["Commands"]),
    command("paidline-validate", ["AppStoreClient", "AppleService", "Commands"]),
    command("paidline-fetch", ["AppStoreClient", "AppleService", "Commands"]),
    command(
      "paidline-sample",
      ["CivilTime", "Diagnostics", "PurchaseModel", "SampleStore", argumentParser],
      path: "Tests/Samples/paidline-sample"),
    command(
      "paidline-bench",
      [
        "Amounts", "AppleReports", "CZlib", "CivilTime", "PurchaseModel", "Reconciling",
        "SampleStore", "Warehouse", argumentParser, grdb, grdbSQLite,
      ],
      path: "Tests/Samples/paidline-bench"),
    command(
      "InstructionCount",
      ["Diagnostics", "ExportReading", "PurchaseModel", "StateStore"],
      path: "Benchmarks/Instructions"),
    command(
      "SignatureSpeed", ["ReceiptSigning", "SignedTransactions"], path: "Benchmarks/Signatures"),
    .target(
      name: "TestSupport",
      dependencies: [
        "CZlib", "Amounts", "CivilTime", "Deciding", "PaidAmounts", "PriceLearning",
        "PurchaseModel", "Purchases",
      ],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    command(
      "FakeApple", ["ReceiptSigning", crypto, flyingFox, flyingSocks], path: "Tests/FakeApple"),
    .target(
      name: "ReceiptSigning", dependencies: [asn1, crypto, x509], path: "Tests/ReceiptSigning",
      swiftSettings: strict),
    tests(
      "SignedTransactionsTests",
      [
        "Amounts", "CivilTime", "Diagnostics", "PurchaseModel", "ReceiptSigning",
        "SignedTransactions", "TestSupport",
      ]),
    tests(
      "AppleReportsTests",
      ["Amounts", "AppleReports", "CivilTime", "Diagnostics", "PurchaseModel", "TestSupport"]),
    tests(
      "ReconcilingTests",
      ["Amounts", "AppleReports", "CivilTime", "PurchaseModel", "Reconciling", "TestSupport"]),
    tests(
      "AppStoreClientTests",
      [
        "AppStoreClient", "CivilTime", "ExportReading", "ReceiptSigning", "TestSupport", asn1,
        crypto,
      ]),
    tests("AmountsTests", ["Amounts", "TestSupport"]),
    tests("TemporaryFilesTests", ["Diagnostics", "TemporaryFiles", "TestSupport"]),
    tests("ExchangeRatesTests", ["Amounts", "CivilTime", "ExchangeRates", "TestSupport"]),
    tests(
      "ProceedsTests",
      [
        "Amounts", "CivilTime", "Deciding", "ExchangeRates", "PurchaseModel", "Purchases",
        "PaidAmounts", "Proceeds", "TestSupport",
      ]),
    tests("CivilTimeTests", ["CivilTime", "TestSupport"]),
    tests("PurchaseModelTests", ["Amounts", "CivilTime", "PurchaseModel", "TestSupport"]),
    tests(
      "ExportReadingTests",
      [
        "Amounts", "CivilTime", "Diagnostics", "PurchaseModel", "ExportReading",
        "SignedTransactions", "TestSupport",
      ]),
    tests("ParallelTests", ["Parallel", "TestSupport"]),
    tests(
      "PurchasesTests",
      ["Amounts", "CivilTime", "PurchaseModel", "Purchases", "TestSupport"]),
    tests(
      "PriceLearningTests",
      ["Amounts", "CivilTime", "PriceLearning", "PurchaseModel", "TestSupport"]),
    tests(
      "PaidAmountsTests",
      [
        "Amounts", "CivilTime", "Deciding", "PriceLearning", "PurchaseModel", "Purchases",
        "PaidAmounts", "TestSupport",
      ]),
    tests(
      "SubscriptionsTests",
      [
        "Amounts", "CivilTime", "Deciding", "PriceLearning", "PurchaseModel", "Purchases",
        "PaidAmounts", "Subscriptions", "TestSupport",
      ]),
    tests(
      "WarehouseTests",
      [
        "Amounts", "CivilTime", "Deciding", "Diagnostics", "ExchangeRates", "Joining",
        "PriceLearning", "PurchaseModel", "Purchases", "PaidAmounts", "Proceeds", "Subscriptions",
        "SharedTables", "SQLiteFiles", "StateStore", "TemporaryFiles", "Warehouse", "TestSupport",
        grdb,
      ]),
    tests(
      "ScenarioTests",
      [
        "Amounts", "CivilTime", "PriceLearning", "PurchaseModel", "Purchases", "PaidAmounts",
        "Deciding", "Subscriptions", "TestSupport", "paidline", "paidline-ingest",
        "paidline-reconstruct", grdb, yams,
      ]),
    tests("PublishingTests", ["Amounts", "Publishing", "Warehouse"]),
    tests("TidyTests", ["Diagnostics", "TestSupport"]),
    tests(
      "SampleStoreTests",
      ["CivilTime", "Diagnostics", "ExportReading", "PurchaseModel", "SampleStore", "TestSupport"]),
    tests(
      "PipelineTests",
      [
        "Amounts", "Answers", "AppStoreClient", "CivilTime", "Commands", "Diagnostics",
        "ExportReading", "PaidAmounts", "Pipeline", "PriceLearning", "PurchaseModel",
        "SharedTables", "StateStore", "TemporaryFiles", "TestSupport", "Warehouse", systemPackage,
      ]),
    tests(
      "StageTests",
      [
        "Amounts", "CivilTime", "Diagnostics", "FakeApple", "Publishing", "PurchaseModel",
        "SampleStore", "SignedTransactions", "TestSupport", "paidline",
        "paidline-ingest", "paidline-reconstruct", "paidline-publish", "paidline-validate",
        "paidline-fetch", "paidline-bench", "paidline-sample", "ReceiptSigning", "Warehouse",
        crypto, grdb,
      ], exclude: ["Golden"]),
  ]
)
