internal import Foundation
internal import Testing

/// The texts that users can see, collected in `Tests/messages.txt` for proofreading.
@Suite struct MessagesTests {
  private static let path = "Tests/messages.txt"

  /// The content of that page: each file of the program, followed by its texts.
  private static func page() -> String {
    Repository.sources.sorted { $0.path < $1.path }.compactMap { file -> String? in
      let isSample = ["Sources/Samples/", "Sources/paidline-sample"].contains {
        file.path.hasPrefix($0)
      }
      guard !isSample else { return nil }
      let texts = MessageTexts(file.lines.joined(separator: "\n")).texts
      return texts.isEmpty
        ? nil : file.path + "\n" + texts.map { "  " + $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  @Test func `the page of messages is the one on record`() throws {
    let page = Self.page()
    if ProcessInfo.processInfo.environment["PAIDLINE_WRITE_DOCS"] == "1" {
      try page.write(
        to: Repository.root.appending(path: Self.path), atomically: true, encoding: .utf8)
    }
    #expect(page == Repository.text(Self.path), "run `make docs`, and read the new messages once")
  }

  @Test func `literals are found with their values left out`() {
    let code = #"""
      // "a comment is no message at all"
      fail("the file \(name("a b c d")) is too \(size) for it, "
        + "so \"make\" it smaller", "two words")
      let sql = "SELECT a FROM b WHERE c"
      let codes = "EUR DEU FRA IN"
      precondition(count(of: keys) > 0, "a table has at least one key")
      try mapping.value("day", expected: "a day of the calendar", read: day)
      print(name + ": of no use at all" + advice)
      """#
    #expect(
      MessageTexts(code).texts == [
        "the file … is too … for it, so \"make\" it smaller", "expected: a day of the calendar",
        "…: of no use at all…",
      ])
  }
}
