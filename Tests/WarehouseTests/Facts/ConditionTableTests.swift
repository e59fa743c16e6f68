import GRDB
import Testing

@testable import Warehouse

/// What conditions look values up in.
@Suite struct `Tables behind conditions` {
  private func bit(of text: String, in vocabulary: borrowing Vocabulary) -> Int64 {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe vocabulary.bit(of: $0) }
  }

  private func has(_ set: ValueSet, _ text: String) -> Bool {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe set.contains($0) }
  }

  private func has(_ table: borrowing TextTable, _ text: String) -> Bool {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe table.contains($0) }
  }

  @Test func `a vocabulary knows its words and no others`() {
    // Of each length up to 40 a word, and one that differs in a byte in the middle: short texts
    // are told apart by their ends alone, long ones need all of their bytes.
    let words = (0...40).map { length in String(repeating: "a", count: length) }
    let vocabulary = Vocabulary(words.map { Array($0.utf8) })
    for (number, word) in words.enumerated() {
      #expect(bit(of: word, in: vocabulary) == 1 << Int64(number))
      for place in word.indices {
        let other = word.replacingCharacters(at: place, with: "b")
        #expect(bit(of: other, in: vocabulary) == 0, "\(other)")
      }
    }
  }

  @Test func `a set knows its numbers, its ids and its texts, also of a record that ends there`()
    throws
  {
    let ids = ["1", "12345678", "123456789012345678", "1234567890123456", "9", "87654321"]
    let texts = ["", "0", "012345678", "1234567890123456789", "12345678x", "pro.monthly", "é"]
    let others = [
      "2", "12345679", "123456789012345679", "12345678 ", "01", "1234567890123456788", "pro.monthl",
      "pro.monthlz", "x2345678", ":2345678", "/2345678", "1234567x",
    ]
    let set = ValueSet()
    let queue = try DatabaseQueue()
    try queue.write { db in
      let rows = (ids + texts).map { "('\($0)')" }.joined(separator: ",")
      try set.fill(from: try RawStatement("a set", "VALUES \(rows), (NULL)", on: db))
    }
    #expect(set.hasTexts && set.hasNull && !set.hasNumbers && !set.isEmpty)
    for text in ids + texts { #expect(has(set, text), "\(text)") }
    for text in others { #expect(!has(set, text), "\(text)") }
  }

  @Test func `a table of texts grows with them`() {
    var table = TextTable()
    for number in 0..<5000 {
      unsafe Array("text-\(number)".utf8).withUnsafeBytes { unsafe table.insert($0) }
    }
    for number in 0..<5000 {
      let (isKnown, isOther) = (has(table, "text-\(number)"), has(table, "text-\(number)."))
      #expect(isKnown && !isOther, "\(number)")
    }
  }

  @Test func `what conditions have in common is asked once`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      var program = ConditionProgram()
      for sql in ["a = 1 OR b <> 2", "NOT (b = 2)", "a IN (1, 3) AND b <> 2"] {
        var parser = ConditionParser(
          try ConditionToken.all(in: sql), columns: ["a", "b"], into: program,
          subqueries: Subqueries(db))
        try parser.read()
        program = parser.program
      }
      // a, 1, a = 1, b, 2, b = 2, its contrary, the first condition; 3, a = 3, one of both, the
      // third condition. The second is a part of the first.
      #expect(program.nodes.count == 12)
      #expect(program.roots == [7, 6, 11])
    }
  }
}

extension String {
  fileprivate func replacingCharacters(at place: Index, with text: String) -> String {
    self[..<place] + text + self[index(after: place)...]
  }
}
