/// Reads conditions as data tests and CHECKs write them.
///
/// Only what they use is known; anything else throws ``UnknownCondition``.
struct ConditionParser {
  /// What comes before what: as in SQLite, from the loosest to the tightest.
  private enum Level: Int {
    case equality, order, bits, sum
  }

  private let tokens: [ConditionToken]
  private let columns: [String]
  private var place = 0
  private(set) var program: ConditionProgram
  /// What subqueries mean: a set's number, or one value.
  private let subqueries: any SubqueryReader

  /// Begins to read a condition over these columns, to be added to others.
  init(
    _ tokens: [ConditionToken], columns: [String], into program: ConditionProgram,
    subqueries: any SubqueryReader
  ) {
    self.tokens = tokens
    self.columns = columns
    self.program = program
    self.subqueries = subqueries
  }

  /// Reads the condition to its end.
  mutating func read() throws {
    let root = try either()
    guard place == tokens.count else { throw unknown() }
    program.roots.append(root)
  }

  // MARK: Tokens

  private func unknown() -> UnknownCondition {
    UnknownCondition(what: place < tokens.count ? tokens[place].sql : "an early end")
  }

  private mutating func skip(_ sign: String) -> Bool {
    guard place < tokens.count, tokens[place] == .sign(sign) else { return false }
    place += 1
    return true
  }

  private mutating func skip(word: String) -> Bool {
    guard place < tokens.count, tokens[place].isWord(word) else { return false }
    place += 1
    return true
  }

  private mutating func require(_ sign: String) throws {
    guard skip(sign) else { throw unknown() }
  }

  private mutating func require(word: String) throws {
    guard skip(word: word) else { throw unknown() }
  }

  // MARK: Conditions

  private mutating func either() throws -> Int32 {
    var left = try both()
    while skip(word: "OR") { left = add(.or, left, try both()) }
    return left
  }

  private mutating func both() throws -> Int32 {
    var left = try negated()
    while skip(word: "AND") { left = add(.and, left, try negated()) }
    return left
  }

  private mutating func negated() throws -> Int32 {
    guard skip(word: "NOT") else { return try operand(.equality) }
    return add(.not, try negated())
  }

  private mutating func add(
    _ operation: ConditionNode.Operation, _ first: Int32, _ second: Int32 = 0, _ third: Int32 = 0
  ) -> Int32 {
    program.add(
      ConditionNode(operation: operation, first: first, second: second, third: third))
  }

  /// Operands joined by operators of a level, from left to right.
  private mutating func operand(_ level: Level) throws -> Int32 {
    guard let tighter = Level(rawValue: level.rawValue + 1) else {
      return try sum()
    }
    var left = try operand(tighter)
    while true {
      if level == .equality, let test = try membership(of: left) {
        left = test
      } else if let operation = comparison(level) {
        left = add(operation, left, try operand(tighter))
      } else {
        return left
      }
    }
  }

  private mutating func comparison(_ level: Level) -> ConditionNode.Operation? {
    let signs: [(String, ConditionNode.Operation)] =
      switch level {
      case .equality: [("=", .equal), ("<>", .notEqual)]
      case .order:
        [("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater)]
      case .bits: [("&", .bitAnd), (">>", .shiftRight)]
      case .sum: []
      }
    for (sign, operation) in signs where skip(sign) { return operation }
    return nil
  }

  private mutating func sum() throws -> Int32 {
    var left = try primary()
    while skip("+") { left = add(.add, left, try primary()) }
    return left
  }

  /// `IS`, `IN` and `BETWEEN` after an operand; `nil` where none of them follows.
  private mutating func membership(of left: Int32) throws -> Int32? {
    if skip(word: "IS") {
      let isNegated = skip(word: "NOT")
      return add(isNegated ? .isNotSame : .isSame, left, try operand(.order))
    }
    let start = place
    let isNegated = skip(word: "NOT")
    let test: Int32
    if skip(word: "BETWEEN") {
      let low = try operand(.order)
      try require(word: "AND")
      test = add(.between, left, low, try operand(.order))
    } else if skip(word: "IN") {
      try require("(")
      if let query = try subquery() {
        test = add(.inSet, left, try subqueries.set(of: query))
      } else {
        test = program.add(.inList, of: left, try list())
      }
    } else {
      place = start
      return nil
    }
    return isNegated ? add(.not, test) : test
  }

  /// Expressions to the closing parenthesis.
  private mutating func list() throws -> [Int32] {
    var list = [try either()]
    while skip(",") { list.append(try either()) }
    try require(")")
    return list
  }

  /// A subquery after an opening parenthesis, to the closing one.
  private mutating func subquery() throws -> String? {
    guard place < tokens.count, tokens[place].isWord("SELECT") else { return nil }
    var depth = 1
    var words: [String] = []
    while place < tokens.count {
      if tokens[place] == .sign("(") { depth += 1 }
      if tokens[place] == .sign(")") { depth -= 1 }
      place += 1
      if depth == 0 { return words.joined(separator: " ") }
      words.append(tokens[place - 1].sql)
    }
    throw unknown()
  }

  // MARK: Values

  private mutating func primary() throws -> Int32 {
    guard place < tokens.count else { throw unknown() }
    let token = tokens[place]
    place += 1
    switch token {
    case .number(let value):
      return program.add(ConditionNode(operation: .integer, number: value))
    case .text(let text): return program.add(text: text)
    case .sign("-"):
      guard place < tokens.count, case .number(let value) = tokens[place] else { throw unknown() }
      place += 1
      return program.add(ConditionNode(operation: .integer, number: -value))
    case .sign("("):
      if let query = try subquery() { return try constant(query) }
      let inner = try either()
      try require(")")
      return inner
    case .sign: throw UnknownCondition(what: token.sql)
    case .word(let word): return try value(of: word)
    }
  }

  /// What a subquery of one value says, which is the same for all rows.
  private mutating func constant(_ query: String) throws -> Int32 {
    switch try subqueries.value(of: query) {
    case .null: add(.null, 0)
    case .number(let value): program.add(ConditionNode(operation: .integer, number: value))
    case .text(let text): program.add(text: text)
    }
  }

  private mutating func value(of word: String) throws -> Int32 {
    if skip("(") { return try call(word.uppercased()) }
    if let column = columns.firstIndex(of: word) { return add(.column, Int32(column)) }
    switch word.uppercased() {
    case "NULL": return add(.null, 0)
    case "CASE": return try choice()
    default: throw UnknownCondition(what: word)
    }
  }

  /// `CASE x WHEN … THEN … ELSE … END`.
  private mutating func choice() throws -> Int32 {
    let base = try either()
    var list: [Int32] = []
    while skip(word: "WHEN") {
      list.append(try either())
      try require(word: "THEN")
      list.append(try either())
    }
    list.append(skip(word: "ELSE") ? try either() : add(.null, 0))
    try require(word: "END")
    return program.add(.choose, of: base, list)
  }

  private mutating func call(_ function: String) throws -> Int32 {
    if function == "DATE" { return try date() }
    let list = try list()
    switch (function, list.count) {
    case ("COALESCE", 1...): return program.add(.coalesce, list)
    case ("SUBSTR", 3): return program.add(.substring, list)
    case ("LENGTH", 1): return program.add(.length, list)
    default: throw UnknownCondition(what: function)
    }
  }

  /// `date(x, '-7 days')`.
  private mutating func date() throws -> Int32 {
    let day = try either()
    try require(",")
    guard place < tokens.count, case .text(let shift) = tokens[place] else { throw unknown() }
    place += 1
    try require(")")
    let words = String(decoding: shift, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[1] == "days", let days = Int64(words[0]) else { throw unknown() }
    return program.add(ConditionNode(operation: .daysLater, first: day, number: days))
  }
}

/// Who knows what subqueries say; they must not name columns of the row that is asked about.
protocol SubqueryReader {
  /// The number of the set of a subquery's values.
  func set(of query: String) throws -> Int32
  /// The one value of a subquery.
  func value(of query: String) throws -> SubqueryValue
}

/// The value of a subquery.
enum SubqueryValue: Hashable {
  case null
  case number(Int64)
  case text([UInt8])
}
