internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The commands on the README and the pages that it links to, run as written.
struct ReadmeTests {
  private static let repository = Checkout.folder.path

  /// The code blocks of one language on a page.
  private static func blocks(_ language: String, of page: String) throws -> [String] {
    let text = try String(contentsOfFile: "\(repository)/\(page)", encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// A copy of the sample pipeline with separate databases, under every name that the pages use.
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

  /// The sample after its first run; each test changes a copy.
  private static let published = Result {
    let shop = try ReadmeTests.shop()
    let ending = try shop.run("paidline", "run", "Pipelines/sample.yaml")
    try #require(ending.status == 0, "\(ending.errors)")
    return shop
  }

  @Test(
    arguments: zip(
      ["README.md", "Docs/commands.md", "Docs/backfills.md", "Docs/analysts/README.md"],
      [3, 11, 3, 3]))
  func `every command of a page ends well`(_ page: String, atLeast least: Int) throws {
    let shop = try ShopBeforeRun.copy(of: Self.published.get())
    var count = 0
    for line in try Self.blocks("sh", of: page).joined().split(separator: "\n") {
      var words = line.split(separator: " ").map(String.init)
      guard words.first == "paidline" else { continue }
      words.removeFirst()
      // The sample's newest export is years old, so a check of its age must fail.
      let expected: Int32 = words.contains("--max-age") ? 65 : 0
      let ending = try shop.run("paidline", arguments: words)
      count += 1
      #expect(ending.status == expected, "\(line): \(ending.errors)")
    }
    #expect(count >= least)
  }

  @Test func `every view and table that the page for analysts names exists`() throws {
    let shop = try Self.published.get()
    let page = try String(
      contentsOfFile: "\(Self.repository)/Docs/analysts/README.md", encoding: .utf8)
    let known = Set(
      try shop.rows(
        """
        SELECT name FROM sqlite_schema UNION SELECT column_name FROM meta_column
        UNION SELECT price_status FROM fct_revenue
        """))
    let pipelineKeys: Set = [
      "customer_key_file", "datasette_metadata", "dbt_sources", "report_chart_script",
      "report_time_zone", "paidline_database", "paidline_schema",
    ]
    let named = page.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
      .filter { name in
        name.contains("_") && !name.hasPrefix("_") && !name.hasSuffix("_")
          && name.allSatisfy { $0.isLowercase || $0 == "_" }
          && !pipelineKeys.contains(name)
      }
    #expect(named.count > 15)
    for name in named { #expect(known.contains(name), "\(name) is not in the warehouse") }
  }
}
