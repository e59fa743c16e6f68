internal import Foundation
internal import TestSupport

/// The files of this repository as text, for the tests here.
enum Repository {
  static let root = Checkout.folder

  /// The Swift files below a folder, sorted by path.
  static func swiftFiles(in folder: String) -> [SourceFile] {
    let folderURL = root.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: folderURL.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      text("\(folder)/\(path)").map { SourceFile(path: "\(folder)/\(path)", text: $0) }
    }
  }

  /// The Markdown pages below a folder, sorted by path.
  static func pages(in folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?
      .compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".md") && !$0.contains(".build/") }.sorted()
      .map { "\(folder)/\($0)" }
  }

  static let sources = swiftFiles(in: "Sources")
  static let tests = swiftFiles(in: "Tests")

  /// Whether a file or folder exists.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// The text of a file; `nil` if it is missing.
  static func text(_ path: String) -> String? {
    try? String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// A Swift file, prepared for lints.
struct SourceFile {
  /// The path from the repository's root: `Sources/Basics/Amounts/Currency.swift`.
  var path: String
  /// The lines as they are.
  var lines: [String]
  /// The lines without comments and without the content of one-line strings.
  ///
  /// Lines of multi-line strings are unchanged, because no lint searches for words of prose.
  var code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    code = lines.map(Self.code)
  }

  var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

  private static func code(_ line: String) -> String {
    var result: [UInt8] = []
    var isInString = false
    var previous = UInt8(ascii: " ")
    for byte in line.utf8 {
      if byte == UInt8(ascii: "\""), previous != UInt8(ascii: "\\") {
        isInString.toggle()
        result.append(byte)
      } else if !isInString {
        if byte == UInt8(ascii: "/"), previous == byte { return text(result.dropLast()) }
        result.append(byte)
      }
      previous = byte
    }
    return text(result[...])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The modules the file imports.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split(separator: " ").map { String($0) }
      guard let index = words.firstIndex(of: "import"), index + 1 < words.count else { return nil }
      let isImport = words[..<index].allSatisfy {
        $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0)
      }
      guard isImport else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let module = kinds.contains(words[index + 1]) ? words.last ?? "" : words[index + 1]
      return module.split(separator: ".").first.map { String($0) }
    }
  }

  /// The numbers of the lines of comments with more than 100 columns; the formatter wraps only
  /// code.
  var longComments: [Int] {
    lines.indices.filter { lines[$0].count > 100 && lines[$0].drop { $0 == " " }.hasPrefix("//") }
      .map { $0 + 1 }
  }

  /// The numbers of the lines on which the text of an SQL statement begins.
  var linesWithSQL: [Int] {
    let verbs = ["ATTACH", "CREATE", "DELETE", "INSERT", "PRAGMA", "SELECT", "UPDATE", "WITH"]
    func isStatement(_ text: Substring) -> Bool { verbs.contains { text.hasPrefix($0 + " ") } }
    return lines.indices.filter { index in
      let line = lines[index].drop { $0 == " " }
      if line.hasPrefix("//") { return false }
      if index > 0, lines[index - 1].hasSuffix("\"\"\"") { return isStatement(line) }
      return line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .contains { $0.offset % 2 == 1 && isStatement($0.element) }
    }.map { $0 + 1 }
  }

  /// The numbers of the lines in which a word occurs that is not part of a longer word.
  func lines(with word: String) -> [Int] {
    code.indices.filter { code[$0].containsWord(word) }.map { $0 + 1 }
  }
}

extension String {
  /// Returns true if the text contains the word with no letter, digit or underscore directly before
  /// or after it.
  func containsWord(_ word: String) -> Bool {
    let text = Array(utf8)
    let word = Array(word.utf8)
    guard let first = word.first, let last = word.last, text.count >= word.count else {
      return false
    }
    for start in 0...text.count - word.count where text[start] == first {
      let end = start + word.count
      guard text[start..<end].elementsEqual(word) else { continue }
      let isJoinedBefore = first.isWordPart && start > 0 && text[start - 1].isWordPart
      let isJoinedAfter = last.isWordPart && end < text.count && text[end].isWordPart
      if !isJoinedBefore, !isJoinedAfter { return true }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isWordPart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
