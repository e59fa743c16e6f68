/// The tokens of a condition, read one after another.
struct ConditionTokens {
  private let tokens: [ConditionToken]
  private var place = 0

  /// Begins with the first.
  init(_ tokens: [ConditionToken]) {
    self.tokens = tokens
  }

  /// Whether all tokens were read.
  var isAtEnd: Bool { place == tokens.count }

  /// What to throw where the next token is not expected.
  var unexpected: UnknownCondition {
    UnknownCondition(what: isAtEnd ? "an early end" : tokens[place].sql)
  }

  /// Reads a token, whatever it is.
  mutating func next() throws(UnknownCondition) -> ConditionToken {
    guard !isAtEnd else { throw unexpected }
    place += 1
    return tokens[place - 1]
  }

  /// Reads a sign if it comes next.
  mutating func skip(_ sign: String) -> Bool {
    guard !isAtEnd, tokens[place] == .sign(sign) else { return false }
    place += 1
    return true
  }

  /// Reads keywords if they come next, however they are written.
  mutating func skip(words: String...) -> Bool {
    guard words.count <= tokens.count - place,
      zip(words, tokens[place...]).allSatisfy({ word, token in token.isWord(word) })
    else { return false }
    place += words.count
    return true
  }

  /// Reads a sign that must come next.
  mutating func require(_ sign: String) throws(UnknownCondition) {
    guard skip(sign) else { throw unexpected }
  }

  /// Reads a keyword that must come next.
  mutating func require(word: String) throws(UnknownCondition) {
    guard skip(words: word) else { throw unexpected }
  }

  /// Reads a subquery after its opening parenthesis, the closing one too; `nil` where something
  /// else stands there.
  mutating func subquery() throws(UnknownCondition) -> String? {
    guard !isAtEnd, tokens[place].isWord("SELECT") else { return nil }
    return try inParentheses().map(\.sql).joined(separator: " ")
  }

  /// Reads everything after an opening parenthesis to the closing one, which is left out.
  mutating func inParentheses() throws(UnknownCondition) -> [ConditionToken] {
    let start = place
    var depth = 1
    while depth > 0 {
      switch try next() {
      case .sign("("): depth += 1
      case .sign(")"): depth -= 1
      default: break
      }
    }
    return Array(tokens[start..<place - 1])
  }
}
