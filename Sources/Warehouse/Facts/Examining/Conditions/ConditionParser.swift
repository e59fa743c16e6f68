/// Reads conditions as data tests and CHECKs write them.
///
/// Only what they use is known; anything else throws ``UnknownCondition``. Operators bind as in
/// SQLite: there is a function for each level, from the loosest to the tightest.
struct ConditionParser {
  var tokens: ConditionTokens
  let columns: [String]
  /// What was read, with what it is added to.
  var program: ConditionProgram
  /// What subqueries mean: a set's number, or one value.
  let subqueries: Subqueries

  /// Begins to read a condition over these columns, to be added to others.
  init(
    _ tokens: [ConditionToken], columns: [String], into program: ConditionProgram,
    subqueries: Subqueries
  ) {
    self.tokens = ConditionTokens(tokens)
    self.columns = columns
    self.program = program
    self.subqueries = subqueries
  }

  /// Reads the condition to its end.
  mutating func read() throws {
    let root = try alternatives()
    guard tokens.isAtEnd else { throw tokens.unexpected }
    program.ask(root)
  }

  /// Everything there is: what `OR` joins.
  mutating func alternatives() throws -> Int32 {
    var left = try conjunction()
    while tokens.skip(words: "OR") { left = program.either(left, try conjunction()) }
    return left
  }

  private mutating func conjunction() throws -> Int32 {
    var left = try negation()
    while tokens.skip(words: "AND") { left = program.both(left, try negation()) }
    return left
  }

  private mutating func negation() throws -> Int32 {
    guard tokens.skip(words: "NOT") else { return try equality() }
    return program.not(try negation())
  }

  private mutating func equality() throws -> Int32 {
    var left = try comparison()
    while true {
      if tokens.skip("=") {
        left = program.equal(left, try comparison())
      } else if tokens.skip("<>") {
        left = program.not(program.equal(left, try comparison()))
      } else if tokens.skip(words: "IS", "NOT") {
        left = program.not(program.isSame(left, try comparison()))
      } else if tokens.skip(words: "IS") {
        left = program.isSame(left, try comparison())
      } else if tokens.skip(words: "NOT", "BETWEEN") {
        left = program.not(try range(left))
      } else if tokens.skip(words: "BETWEEN") {
        left = try range(left)
      } else if tokens.skip(words: "NOT", "IN") {
        left = program.not(try membership(left))
      } else if tokens.skip(words: "IN") {
        left = try membership(left)
      } else {
        return left
      }
    }
  }

  /// The bounds after `BETWEEN`.
  private mutating func range(_ value: Int32) throws -> Int32 {
    let isBelow = program.less(value, try comparison())
    try tokens.require(word: "AND")
    let isAbove = program.less(try comparison(), value)
    return program.both(program.not(isBelow), program.not(isAbove))
  }

  /// The list or subquery after `IN`.
  private mutating func membership(_ value: Int32) throws -> Int32 {
    try tokens.require("(")
    if let query = try tokens.subquery() {
      return program.isIn(value, set: subqueries.set(of: query))
    }
    return program.isIn(value, try list())
  }

  private mutating func comparison() throws -> Int32 {
    var left = try bits()
    while true {
      if tokens.skip("<") {
        left = program.less(left, try bits())
      } else if tokens.skip(">=") {
        left = program.not(program.less(left, try bits()))
      } else if tokens.skip(">") {
        left = program.less(try bits(), left)
      } else if tokens.skip("<=") {
        left = program.not(program.less(try bits(), left))
      } else {
        return left
      }
    }
  }

  private mutating func bits() throws -> Int32 {
    var left = try sum()
    while true {
      if tokens.skip("&") {
        left = program.arithmetic(.bitAnd, left, try sum())
      } else if tokens.skip(">>") {
        left = program.arithmetic(.shiftRight, left, try sum())
      } else {
        return left
      }
    }
  }

  private mutating func sum() throws -> Int32 {
    var left = try primary()
    while tokens.skip("+") { left = program.arithmetic(.add, left, try primary()) }
    return left
  }
}
