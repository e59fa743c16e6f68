extension ConditionParser {
  /// Expressions to the closing parenthesis, at least one.
  mutating func list() throws -> [Int32] {
    var list = [try alternatives()]
    while tokens.skip(",") { list.append(try alternatives()) }
    try tokens.require(")")
    return list
  }

  /// What no operator can take apart: a column, a constant, a function, or parentheses.
  mutating func primary() throws -> Int32 {
    if tokens.skip("(") {
      if let query = try tokens.subquery() { return constant(try subqueries.value(of: query)) }
      let inner = try alternatives()
      try tokens.require(")")
      return inner
    }
    let isNegative = tokens.skip("-")
    let unexpected = tokens.unexpected
    switch try tokens.next() {
    case .number(let value): return program.integer(isNegative ? -value : value)
    case .text(let text) where !isNegative: return program.text(text)
    case .word(let word):
      let value = try value(of: word)
      return isNegative ? program.negated(value) : value
    default: throw unexpected
    }
  }

  /// What a subquery of one value says, which is the same for all rows.
  private mutating func constant(_ value: SubqueryValue) -> Int32 {
    switch value {
    case .null: program.null()
    case .number(let value): program.integer(value)
    case .text(let text): program.text(text)
    }
  }

  private mutating func value(of word: String) throws -> Int32 {
    if tokens.skip("(") { return try call(word.uppercased()) }
    if let column = columns.firstIndex(of: word) { return program.column(column) }
    switch word.uppercased() {
    case "NULL": return program.null()
    case "CASE": return try choice(of: try alternatives())
    default: throw UnknownCondition(what: word)
    }
  }

  /// `WHEN … THEN … ELSE … END` after `CASE x`.
  private mutating func choice(of base: Int32) throws -> Int32 {
    if tokens.skip(words: "WHEN") {
      let test = program.equal(base, try alternatives())
      try tokens.require(word: "THEN")
      let value = try alternatives()
      return program.choice(test, value, else: try choice(of: base))
    }
    let other = tokens.skip(words: "ELSE") ? try alternatives() : program.null()
    try tokens.require(word: "END")
    return other
  }

  private mutating func call(_ function: String) throws -> Int32 {
    if function == "DATE" { return try date() }
    let list = try list()
    switch (function, list.count) {
    case ("COALESCE", 2...):
      return list.dropLast().reversed().reduce(list[list.count - 1]) { program.coalesce($1, $0) }
    case ("SUBSTR", 3): return program.substring(list[0], list[1], list[2])
    case ("LENGTH", 1): return program.length(list[0])
    default: throw UnknownCondition(what: function)
    }
  }

  /// `x, '-7 days')` after `date(`.
  private mutating func date() throws -> Int32 {
    let day = try alternatives()
    try tokens.require(",")
    let unexpected = tokens.unexpected
    guard case .text(let shift) = try tokens.next() else { throw unexpected }
    try tokens.require(")")
    let words = String(decoding: shift, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[1] == "days", let days = Int64(words[0]) else { throw unexpected }
    return program.day(day, later: days)
  }
}
