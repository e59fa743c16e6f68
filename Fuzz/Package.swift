// swift-tools-version: 6.2
import PackageDescription

// The fuzzer of the export reader: `make fuzz`. A package of its own, because libFuzzer brings its
// own `main` and wants everything below it built with its instrumentation.
let package = Package(
  name: "fuzz",
  products: [.library(name: "FuzzExport", type: .static, targets: ["FuzzExport"])],
  dependencies: [.package(name: "paidline", path: "..")],
  targets: [
    .target(
      name: "FuzzExport", dependencies: [.product(name: "ExportReading", package: "paidline")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
