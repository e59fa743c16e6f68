internal import Diagnostics
internal import Foundation
internal import Pipeline
internal import TestSupport
internal import Testing

/// The documentation pages that messages refer to.
struct DocsPageTests {
  @Test(arguments: DocsPage.allCases)
  func `each page is there`(page: DocsPage) throws {
    let path = Checkout.folder.appending(path: page.rawValue).path
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `the page of gates has every gate that a pipeline can set`() throws {
    let page = try String(
      contentsOf: Checkout.folder.appending(path: DocsPage.gates.rawValue), encoding: .utf8)
    for gate in GateRules.settable {
      #expect(page.contains("\n| `\(gate.rawValue)` | "), "\(gate): in the table")
      #expect(page.contains("\n### `\(gate.rawValue)`\n"), "\(gate): a section")
    }
  }
}
