/// A piece of SQL: of a condition over the columns of one row.
enum ConditionToken: Hashable {
  /// A keyword, or the name of a column, table or function; of a column also that of its table
  /// and a dot before it.
  case word(String)
  /// A whole number.
  case number(Int64)
  /// A text between single quotes.
  case text([UInt8])
  /// A sign of one or two characters.
  case sign(String)

  /// Whether it is this keyword, however it is written.
  func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = self { word.uppercased() == keyword } else { false }
  }

  /// It as SQL writes it.
  var sql: String {
    switch self {
    case .word(let word): word
    case .number(let value): "\(value)"
    case .text(let bytes):
      "'"
        + String(decoding: bytes, as: UTF8.self).split(
          separator: "'", omittingEmptySubsequences: false
        )
        .joined(separator: "''") + "'"
    case .sign(let sign): sign
    }
  }

  /// Takes SQL apart; comments and blanks are left out.
  ///
  /// - Throws: ``UnknownCondition`` for what conditions do not need, such as quoted names.
  static func all(in sql: String) throws(UnknownCondition) -> [ConditionToken] {
    let bytes = Array(sql.utf8)
    var tokens: [ConditionToken] = []
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "-"), place + 1 < bytes.count, bytes[place + 1] == byte {
        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if byte <= UInt8(ascii: " ") {
        place += 1
      } else if byte == UInt8(ascii: "'") {
        tokens.append(try text(bytes, &place))
      } else if isWordByte(byte) {
        tokens.append(try wordOrNumber(bytes, &place))
      } else {
        tokens.append(sign(bytes, &place))
      }
    }
    return tokens
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func wordOrNumber(_ bytes: [UInt8], _ place: inout Int) throws(UnknownCondition)
    -> ConditionToken
  {
    let end = bytes[place...].firstIndex { !isWordByte($0) } ?? bytes.count
    let word = String(decoding: bytes[place..<end], as: UTF8.self)
    let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    place = end
    guard isNumber else { return .word(word) }
    guard let value = Int64(word) else { throw UnknownCondition(what: word) }
    return .number(value)
  }

  private static func text(_ bytes: [UInt8], _ place: inout Int) throws(UnknownCondition)
    -> ConditionToken
  {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "'") {
        place += 1
        guard place < bytes.count, bytes[place] == UInt8(ascii: "'") else { return .text(text) }
      }
      text.append(bytes[place])
      place += 1
    }
    throw UnknownCondition(what: "a text without end")
  }

  private static func sign(_ bytes: [UInt8], _ place: inout Int) -> ConditionToken {
    let two = String(decoding: bytes[place..<min(place + 2, bytes.count)], as: UTF8.self)
    let isLong = ["<>", "<=", ">=", ">>"].contains(two)
    place += isLong ? 2 : 1
    return .sign(isLong ? two : String(two.prefix(1)))
  }
}

/// SQL that only SQLite can answer: whoever meets it asks there.
struct UnknownCondition: Error {
  /// What was met.
  var what: String
}
