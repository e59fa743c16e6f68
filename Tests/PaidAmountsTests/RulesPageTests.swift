internal import Foundation
internal import PaidAmounts
internal import PriceLearning
internal import TestSupport
internal import Testing

/// The page with the rules in words has every rule of the code and no other rule.
struct RulesPageTests {
  /// A part of the page: its headings and what is below each.
  private static func sections(of part: String) throws -> [(name: String, text: String)] {
    let page = try String(
      contentsOf: Checkout.folder.appendingPathComponent("Docs/rules.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n## ")
    let found = try #require(parts.first { $0.hasPrefix(part + "\n") }, "no part \(part)")
    return found.components(separatedBy: "\n### ").dropFirst().map { section in
      let lines = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0].filter { $0 != "`" }), String(lines.last ?? ""))
    }
  }

  @Test func `every rule has its heading, in the order in which they are tried`() throws {
    let sections = try Self.sections(of: "The rules in their order")
    #expect(sections.map(\.name) == PriceRule.allCases.map(\.rawValue))
  }

  @Test func `every verdict has its heading`() throws {
    let sections = try Self.sections(of: "Which reports are believed")
    #expect(Set(sections.map(\.name)) == Set(Verdict.allCases.map(\.rawValue)))
    #expect(sections.count == Verdict.allCases.count)
  }

  @Test(arguments: ["The rules in their order", "Which reports are believed"])
  func `every rule and verdict has an example with a number`(_ part: String) throws {
    for section in try Self.sections(of: part) {
      #expect(section.text.contains(/[0-9]/), "\(section.name) has no number")
      #expect(section.text.contains("or example"), "\(section.name) has no example")
    }
  }
}
