/// The comments and messages of a source file, as words.
struct Prose {
  /// Every comment and every message in lower case; `.` marks the end of a clause.
  private(set) var passages: [[String]] = []
  /// The number of times that each word occurs.
  private var occurrences: [String: Int] = [:]
  /// The documentation comments with the declarations below them.
  private(set) var declarations: [DocumentedDeclaration] = []

  /// Collects the comments and one-line messages of a file.
  init(_ file: SourceFile) {
    var comment = ""
    var isDocumentation = false
    for (index, line) in file.lines.enumerated() {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("//") {
        if comment.isEmpty { isDocumentation = trimmed.hasPrefix("///") }
        comment += trimmed.drop { $0 == "/" } + " "
        continue
      }
      if !comment.isEmpty {
        let words = Self.words(comment)
        passages.append(words)
        if isDocumentation {
          declarations.append(
            DocumentedDeclaration(
              words: words, hasExample: comment.contains { $0.isNumber || $0 == "`" },
              code: Self.declaration(in: file, from: index)))
        }
        comment = ""
      }
      for message in Self.messages(in: line) { passages.append(Self.words(message)) }
    }
    for words in passages { for word in words { occurrences[word, default: 0] += 1 } }
  }

  /// The words of a text in lower case, and `.` for every mark that ends a clause.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func finish() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "'"), UInt8(ascii: "_"), 0x80...:
        word.append(byte)
      case UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: ":"):
        finish()
        if words.last != "." { words.append(".") }
      default: finish()
      }
    }
    finish()
    return words
  }

  /// The number of times that some words occur one after another.
  func count(of phrase: [String]) -> Int {
    let first = occurrences[phrase[0]] ?? 0
    guard phrase.count > 1, first > 0 else { return first }
    return passages.reduce(0) { sum, words in
      guard words.count >= phrase.count else { return sum }
      return (0...words.count - phrase.count).reduce(sum) { sum, start in
        let isThere = words[start..<start + phrase.count].elementsEqual(phrase)
        return sum + (isThere ? 1 : 0)
      }
    }
  }

  /// The number of times that a word occurs after the first word of a sentence.
  func count(within word: String) -> Int {
    passages.reduce(0) { sum, words in
      words.indices.reduce(sum) { sum, index in
        let isFirst = index == 0 || words[index - 1] == "."
        return sum + (words[index] == word && !isFirst ? 1 : 0)
      }
    }
  }

  /// The number of rates such as "bytes a page".
  var countOfUnits: Int {
    passages.reduce(0) { sum, words in
      (0..<max(0, words.count - 2)).reduce(sum) { sum, index in
        let isNoun =
          words[index].hasSuffix("s") && words[index].count > 3 && index > 0
          && words[index - 1] != "." && !Self.verbs.contains(words[index])
        let isRate =
          isNoun && (words[index + 1] == "a" || words[index + 1] == "an")
          && Self.units.contains(words[index + 2])
        return sum + (isRate ? 1 : 0)
      }
    }
  }

  /// The number of clauses that end in a word that stands for something mentioned before.
  var countOfOpenEnds: Int {
    passages.reduce(0) { sum, words in
      words.indices.reduce(sum) { sum, index in
        let isLast = index + 1 == words.count || words[index + 1] == "."
        let isSame = words[index] == "same" && index > 0 && words[index - 1] == "the"
        return sum + (isLast && (Self.standins.contains(words[index]) || isSame) ? 1 : 0)
      }
    }
  }

  /// Verbs in -s before a unit that do not form a rate: "holds a row".
  private static let verbs: Set<String> = [
    "accepts", "adds", "becomes", "begins", "belongs", "cancels", "changes", "contains", "covers",
    "decides", "ends", "expects", "fits", "follows", "gets", "gives", "has", "holds", "keeps",
    "leaves", "lets", "makes", "matches", "means", "names", "needs", "precedes", "reads",
    "refuses", "rejects", "stands", "takes", "this", "writes",
  ]
  private static let standins: Set<String> = ["do", "does", "such", "so", "one"]
  private static let units: Set<String> = [
    "byte", "page", "row", "file", "second", "core", "customer", "chain", "line", "record", "token",
    "day", "week", "month", "year", "reason", "entry", "minute", "hour", "thread", "worker", "unit",
  ]

  /// The code from a line to the end of the declaration's head.
  private static func declaration(in file: SourceFile, from index: Int) -> String {
    var head = ""
    var depth = 0
    let lines = file.code[index...].prefix(12)
    for (line, next) in zip(lines, lines.dropFirst() + [""]) {
      head += line + " "
      depth += line.count { $0 == "(" } - line.count { $0 == ")" }
      if line.contains("{") { break }
      let isMarker = line.drop { $0 == " " }.first == "@" && !line.contains("func")
      if isMarker || line.allSatisfy({ $0 == " " }) { continue }
      // The result may be declared on the line after the last parameter.
      let following = next.drop { $0 == " " }
      let goesOn = ["throws", "async", "->", "where", "{"].contains { following.hasPrefix($0) }
      if depth <= 0, !goesOn { break }
    }
    return head
  }

  /// The texts in a line of code with at least three spaces that are not SQL.
  private static func messages(in line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().compactMap {
      guard $0.offset % 2 == 1, $0.element.filter({ $0 == " " }).count >= 3,
        !["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH"].contains(
          $0.element.prefix { $0 != " " })
      else { return nil }
      return String($0.element)
    }
  }
}

/// A declaration with the words of its documentation comment.
struct DocumentedDeclaration {
  /// The words of the comment.
  var words: [String]
  /// Whether the comment has a digit or code.
  var hasExample: Bool
  /// The declaration up to its body.
  var code: String

  /// Whether it is a function without a result.
  var isAction: Bool { code.containsWord("func") && !code.contains("->") }

  /// Whether it is a function, or a value with a type of its own, other than a Boolean.
  var isOtherThanBoolean: Bool {
    if code.containsWord("Bool") { return false }
    return code.containsWord("func") || code.contains("var ") && code.contains(": ")
  }
}
