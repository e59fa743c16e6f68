internal import Diagnostics
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The README's commands and queries, run as they stand there.
struct ReadmeTests {
  private static let repository = Checkout.folder.path

  /// The blocks of one language in the README.
  private static func blocks(_ language: String) throws -> [String] {
    let readme = try String(contentsOfFile: "\(repository)/README.md", encoding: .utf8)
    return readme.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// A copy of the sample pipeline with databases of its own, under every name the README uses.
  private static func shop() throws -> Shop {
    let shop = try Shop()
    let sample = try String(
      contentsOfFile: "\(repository)/Pipelines/sample.yaml", encoding: .utf8
    ).replacing("../var/sample/state.db", with: "../var/state.db")
      .replacing("../var/sample/", with: "../out/")
      .replacing("../SampleData", with: "\(repository)/SampleData")
    try shop.folder.write("Pipelines/sample.yaml", sample)
    try shop.folder.write("Pipelines/nightly.yaml", sample)
    return shop
  }

  @Test func `every command of the README ends well`() throws {
    let shop = try Self.shop()
    let first = try shop.run("paidline", "run", "Pipelines/sample.yaml")
    #expect(first.status == 0, "\(first.errors)")
    var count = 0
    for line in try Self.blocks("sh").joined().split(separator: "\n") {
      var words = line.split(separator: " ").map(String.init)
      guard words.first == "paidline" else { continue }
      words.removeFirst()
      // The sample's newest export is years old by any clock: asking for its age must say so.
      let expected: Int32 = words.contains("--max-age") ? 65 : 0
      let process = try shop.start("paidline", words)
      process.waitUntilExit()
      #expect(process.terminationStatus == expected, "\(line)")
      count += 1
    }
    #expect(count >= 9)
  }

  @Test func `every query of the README finds rows in the sample`() throws {
    let shop = try Self.shop()
    #expect(try shop.run("paidline", "run", "Pipelines/sample.yaml").status == 0)
    let queries = try Self.blocks("sql")
    #expect(queries.count >= 4)
    for query in queries { #expect(try !shop.rows(query).isEmpty, "\(query)") }
  }

  @Test func `every view and table that the README names exists`() throws {
    let shop = try Self.shop()
    #expect(try shop.run("paidline", "run", "Pipelines/sample.yaml").status == 0)
    let readme = try String(contentsOfFile: "\(Self.repository)/README.md", encoding: .utf8)
    let known = Set(
      try shop.rows(
        """
        SELECT name FROM sqlite_schema UNION SELECT column_name FROM meta_column
        UNION SELECT price_status FROM fct_revenue
        """))
    let pipelineKeys: Set = Set(Gate.allCases.map(\.rawValue)).union([
      "customer_key_file", "datasette_metadata", "dbt_sources", "report_chart_script",
      "receipt_keys", "price_keys", "price_unit", "complete_after_days",
    ])
    let named = readme.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
      .filter { name in
        name.contains("_") && name.allSatisfy { $0.isLowercase || $0 == "_" }
          && !pipelineKeys.contains(name)
      }
    #expect(named.count > 15)
    for name in named { #expect(known.contains(name), "\(name) is not in the warehouse") }
  }
}
