internal import Answers
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline
internal import Warehouse

/// `paidline check`: runs the data tests on the published facts.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run the data tests on the published facts.",
    discussion: """
      Ends with 65 when a test of severity error fails. The same tests run before every \
      publication. With --inputs, shows the first records of each input instead: each value with \
      its key. This works before the first run too. The check also lists lines of your catalogue \
      that decide no purchase; and if the catalogue has a fetched price list, your own lines and product \
      data that contradict this list, and the value that is used.

      EXAMPLE
        paidline check Pipelines/nightly.yaml
        paidline check --inputs Pipelines/nightly.yaml
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Flag(help: "Print the results as JSON.")
  var json = false

  @Flag(help: "Show how the first records of each input are read.")
  var inputs = false

  func run() throws {
    let definition = try pipeline.read()
    if inputs { return try CheckedOutput.standard.writeLine(FieldPreview.text(definition)) }
    // Reports a fault of the catalogue, or a contradiction between its files, before any other
    // work.
    _ = try CatalogueText.read(definition)
    let lines = try CatalogueContradictions.find(definition)
    let warehouse = WarehouseDatabase(path: definition.warehousePath)
    guard try warehouse.exists() else {
      if !json {
        let parts = lines + [try FieldPreview.text(definition)]
        try CheckedOutput.standard.writeLine(parts.joined(separator: "\n"))
      }
      throw PublishedWarehouse.nothing(of: definition)
    }
    let results = try warehouse.check()
    let sold = try PublishedWarehouse(definition).read { try SoldProducts.read(on: $0) }
    let ignored =
      try StatusAnswer.linesWithoutApp(definition) + UselessLines.find(definition, sold)
    let output = CheckedOutput.standard
    try output.writeLine(
      json
        ? Self.json(results, contradictions: lines, useless: ignored).page
        : (lines + ignored + [Self.text(results)]).joined(separator: "\n")
    )
    let failures = results.count(where: \.isFailure)
    guard failures == 0 else {
      throw RunFailure(.dataRefused, "\(failures) of \(results.count) data tests failed")
    }
  }

  private static func text(_ results: [DataTestResult]) -> String {
    let broken = results.filter { $0.failingRows > 0 }
    var lines = broken.map { result in
      "\(result.test.severity.rawValue): \(result.test.name): "
        + "\(Count.text(result.failingRows, "row")), which this query returns:\n"
        + result.test.sql.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
    lines.append(
      broken.isEmpty
        ? "All \(results.count) data tests passed."
        : "\(results.count - broken.count) of \(results.count) data tests passed.")
    return lines.joined(separator: "\n")
  }

  private static func json(
    _ results: [DataTestResult], contradictions: [String], useless: [String]
  ) -> JSONText {
    .list(
      contradictions.map { .object([.init("contradiction", .text($0))]) }
        + useless.map { .object([.init("useless_line", .text($0))]) }
        + results.map {
          .object([
            .init("test", .text($0.test.name)), .init("severity", .text($0.test.severity.rawValue)),
            .init("failing_rows", .number(Int64($0.failingRows))), .init("sql", .text($0.test.sql)),
          ])
        })
  }
}
