internal import SQLiteFiles

/// Writes the columns of a row, in the order of the table.
protocol ColumnWriter {
  /// Adds a column with a whole number, or NULL.
  mutating func add(_ name: String, _ number: Int64?)

  /// Adds a column with a text, or NULL.
  mutating func add(_ name: String, _ text: String?)
}

/// Binds the columns of a row to the parameters of a statement.
struct BoundRow: ColumnWriter {
  let statement: RawStatement
  private var parameter: Int32 = 0

  init(_ statement: RawStatement) { self.statement = statement }

  mutating func add(_: String, _ number: Int64?) {
    parameter += 1
    statement.bind(number, at: parameter)
  }

  mutating func add(_: String, _ text: String?) {
    parameter += 1
    statement.bind(text, at: parameter)
  }
}

/// Writes a row as a JSON object, column by column.
struct JSONRow: ColumnWriter {
  private var written = Array("{".utf8)

  var text: [UInt8] { written + [UInt8(ascii: "}")] }

  mutating func add(_ name: String, _ number: Int64?) {
    begin(name)
    written += Array((number.map(String.init) ?? "null").utf8)
  }

  mutating func add(_ name: String, _ text: String?) {
    begin(name)
    guard let text else { return written += Array("null".utf8) }
    append(text.utf8)
  }

  /// Adds a column with a text, given as UTF-8.
  mutating func add(_ name: String, utf8 text: some Sequence<UInt8>) {
    begin(name)
    append(text)
  }

  private mutating func begin(_ name: String) {
    if written.count > 1 { written.append(UInt8(ascii: ",")) }
    append(name.utf8)
    written.append(UInt8(ascii: ":"))
  }

  /// Appends a text, with escapes for quotes, backslashes and control characters.
  private mutating func append(_ bytes: some Sequence<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    written.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        written += [UInt8(ascii: "\\"), byte]
      case 0..<0x20, 0x7F:
        written += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: written.append(byte)
      }
    }
    written.append(UInt8(ascii: "\""))
  }
}
