internal import Foundation
internal import PaidAmounts
internal import Purchases
internal import TestSupport
internal import Testing

/// The page `Tests/Scenarios/COVERAGE.md` is computed from the scenarios.
struct CoverageTests {
  private static let table = Result {
    try Coverage(StoryFile.stories.map { ($0.id, try play($0.load())) })
  }

  @Test func `the page of what the stories show is the one on record`() throws {
    let text = try Self.table.get().page
    let file = Checkout.folder.appending(path: "Tests/Scenarios/COVERAGE.md")
    if ProcessInfo.processInfo.environment["PAIDLINE_WRITE_DOCS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded, "Tests/Scenarios/COVERAGE.md is stale: run `make docs`")
  }

  @Test func `every amount that can be is in a story, and none that cannot`() throws {
    let table = try Self.table.get()
    for cell in Coverage.cells {
      let stories = table.stories[cell] ?? []
      let name = "\(cell.rule.rawValue), \(cell.status.rawValue), \(cell.kind.rawValue)"
      if Impossible.reason(cell) == nil {
        #expect(!stories.isEmpty, "no story has an amount of \(name)")
      } else {
        #expect(stories.isEmpty, "COVERAGE.md says that there can be no amount of \(name)")
      }
    }
  }
}
