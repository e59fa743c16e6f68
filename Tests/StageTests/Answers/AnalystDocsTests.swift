internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing
internal import Warehouse

/// The pages for analysts: generated from the schema where possible, otherwise compared with it.
struct AnalystDocsTests {
  private static let folder = Checkout.folder.appendingPathComponent("Docs/analysts")

  private static func description() throws -> WarehouseDescription {
    let (shop, _) = try SampleRunTests.sample.get()
    // Other tests may open the same file for the first time, which locks it for a moment.
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(
      path: shop.folder.path("out/warehouse.db"), configuration: configuration)
    return try queue.read { try DescriptionReading.read(on: $0) }
  }

  @Test(arguments: ["dictionary.md", "questions.md"])
  func `a page made from the schema is the one on record`(_ name: String) throws {
    let description = try Self.description()
    let text =
      name == "dictionary.md"
      ? AnalystPages.dictionary(description) : AnalystPages.questions(description)
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["PAIDLINE_WRITE_DOCS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded, "Docs/analysts/\(name) is stale: run `make docs`")
  }

  @Test func `the index of guessed words names columns that exist`() throws {
    let tables = try Self.description().tables
    for entry in AnalystPages.index {
      let columns = tables.first { $0.name == entry.table }?.columns.map(\.name) ?? []
      #expect(columns.contains(entry.column), "\(entry.table).\(entry.column)")
    }
  }

  @Test func `every table answers three questions and every view one`() throws {
    let description = try Self.description()
    for table in description.tables {
      let least = table.isView ? 1 : 3
      #expect(Question.about(table.name).count >= least, "\(table.name)")
    }
    let tables = Set(description.tables.map(\.name))
    for question in Question.all {
      #expect(tables.contains(question.table), "\(question.name) asks \(question.table)")
    }
    let names = Question.all.map(\.name)
    #expect(Set(names).count == names.count, "two questions have one name")
  }

  @Test func `every table says its grain, and every column what it holds`() throws {
    for table in try Self.description().tables {
      #expect(!table.grain.isEmpty, "\(table.name) has no grain comment in its CREATE statement")
      for column in table.columns {
        #expect(!column.meaning.isEmpty, "meta_column lacks \(table.name).\(column.name)")
      }
    }
  }

  @Test func `every query of the pages finds rows in the sample, or the page says why not`() throws
  {
    let (shop, _) = try SampleRunTests.sample.get()
    var count = 0
    for name in ["README.md", "answers.md", "questions.md", "why-numbers-differ.md"] {
      let page = try String(
        contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      let parts = page.components(separatedBy: "```sql\n")
      for (before, part) in zip(parts, parts.dropFirst()) {
        let query = try #require(part.components(separatedBy: "```").first)
        let isExplained = before.split(separator: "\n").last?.hasPrefix("No row in the sample: ")
        let rows = try shop.rows(query)
        #expect(rows.isEmpty == (isExplained ?? false), "\(name): \(query)")
        count += 1
      }
    }
    #expect(count >= 100)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `the command for one customer's key gives the key of the warehouse`() throws {
    let page = try String(
      contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
    let command = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("python3 ") }.map(String.init))
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson", Export.purchase(1001, day: "2021-02-01", customer: "c-ü 1"))
    try shop.folder.write("ids.txt", "c-ü 1\n")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let ending = try shop.run("/bin/sh", "-c", command)
    #expect(ending.output == "\(try shop.rows("SELECT customer_key FROM fct_revenue")[0]) c-ü 1\n")
  }

  @Test func `the column that a cause names exists`() throws {
    let page = try String(
      contentsOf: Self.folder.appendingPathComponent("why-numbers-differ.md"), encoding: .utf8)
    let description = try Self.description()
    var known = Set(description.tables.map(\.name))
    for table in description.tables {
      known.formUnion(table.columns.map(\.name))
      for column in table.columns { known.formUnion(column.words) }
    }
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| [") }
    #expect(rows.count >= 18)
    for row in rows {
      let names = row.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      #expect(!names.isEmpty, "\(row) names no column")
      for name in names where !name.contains("(") {
        #expect(known.contains(name), "\(name) is not in the warehouse")
      }
      // The page must have a section for the cause, so that the link works.
      let anchor = try #require(row.split(separator: "#").last?.prefix { $0 != ")" })
      let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map {
        $0.dropFirst(3).lowercased().replacing(",", with: "").replacing(" ", with: "-")
      }
      #expect(headings.contains(String(anchor)), "no section \(anchor)")
    }
  }
}
