internal import CivilTime
internal import Crypto
internal import PurchaseModel

/// Rows of one table on their way into the warehouse, written column by column in SCHEMA's order.
///
/// Each value is written to the row's record, as SQLite's file format (section 2.1) lays it out,
/// and to its canonical bytes, which `content_digest` covers (SCHEMA, "Keys and hash"). Both come
/// from the same call, so what is hashed and what is stored cannot differ. Column names are checked
/// in debug builds.
@safe
struct RowEncoder: ~Copyable {
  private let table: String
  private let columns: [String]
  private let texts: SymbolTexts
  private let isHashed: Bool
  private var column = 0
  private var hasHashedColumn = false
  private var key: Int64?
  private var header = ByteSink(capacity: 256)
  private var body = ByteSink(capacity: 4096)
  private var canonical = ByteSink(capacity: 4096)
  private let titleLength: Int
  /// The finished rows.
  private(set) var rows: EncodedRows

  /// Begins to encode rows of a table; without the names of its columns they are not checked.
  init(_ table: String, columns: [String], texts: SymbolTexts, isHashed: Bool) {
    self.table = table
    self.columns = columns
    self.texts = texts
    self.isHashed = isHashed
    rows = EncodedRows()
    for byte in table.utf8 { canonical.append(byte) }
    canonical.append(UInt8(ascii: "\n"))
    titleLength = canonical.count
  }

  // MARK: Values

  /// The whole number that is the table's primary key.
  @inline(__always)
  mutating func key(_ name: StaticString, _ value: Int64) {
    begin(name)
    if isHashed { canonical.appendDecimal(value) }
    header.append(SerialType.null)
    key = value
  }

  /// The whole number that is the table's primary key, left out of the content digest.
  mutating func unhashedKey(_ name: StaticString, _ value: Int64) {
    advance(name)
    header.append(SerialType.null)
    key = value
  }

  /// A whole number, or NULL.
  @inline(__always)
  mutating func integer(_ name: StaticString, _ value: Int64?) {
    guard let value else { return null(name) }
    begin(name)
    if isHashed { canonical.appendDecimal(value) }
    store(value)
  }

  /// A whole number that the content digest leaves out.
  @inline(__always)
  mutating func unhashed(_ name: StaticString, _ value: Int64) {
    advance(name)
    store(value)
  }

  /// A text that the content digest leaves out.
  mutating func unhashedText(_ name: StaticString, _ value: String) {
    advance(name)
    header.appendVarint(UInt64(13 + 2 * value.utf8.count))
    for byte in value.utf8 { body.append(byte) }
  }

  /// 0 or 1, or NULL.
  @inline(__always)
  mutating func flag(_ name: StaticString, _ value: Bool?) {
    integer(name, value.map { $0 ? 1 : 0 })
  }

  /// NULL.
  @inline(__always)
  mutating func null(_ name: StaticString) {
    begin(name)
    if isHashed { canonical.append(0) }
    header.append(SerialType.null)
  }

  /// A text, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: String?) {
    guard var value else { return null(name) }
    begin(name)
    let start = body.count
    value.withUTF8 { unsafe body.append($0) }
    endText(start)
  }

  /// The text of a symbol, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: Symbol?) {
    guard let value else { return null(name) }
    begin(name)
    let start = body.count
    texts.append(value, to: &body)
    endText(start)
  }

  /// Apple's number as Apple wrote it, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: AppleNumber?) {
    guard let value else { return null(name) }
    if let symbol = value.symbol { return text(name, symbol) }
    begin(name)
    let start = body.count
    body.appendDecimal(Int64(value.rawValue))
    endText(start)
  }

  /// The letters of a packed currency or storefront, or NULL.
  @inline(__always)
  mutating func letters(_ name: StaticString, _ packed: UInt32?) {
    guard let packed else { return null(name) }
    begin(name)
    let start = body.count
    body.reserve(4)
    put(packed >> 24)
    put(packed >> 16)
    put(packed >> 8)
    put(packed)
    endText(start)
  }

  @inline(__always)
  private mutating func put(_ letter: UInt32) {
    if letter & 0xFF != 0 { body.put(UInt8(letter & 0xFF)) }
  }

  /// A moment in whole seconds, UTC, or NULL.
  @inline(__always)
  mutating func time(_ name: StaticString, _ value: Instant?) {
    guard let value else { return null(name) }
    begin(name)
    let start = body.count
    body.append(min(max(value, .distantPast), .distantFuture))
    endText(start)
  }

  /// A UTC day, or NULL.
  @inline(__always)
  mutating func day(_ name: StaticString, _ value: CivilDay?) {
    guard let value else { return null(name) }
    begin(name)
    let start = body.count
    body.append(min(max(value, Instant.distantPast.day), Instant.distantFuture.day))
    endText(start)
  }

  /// A length as ISO 8601 writes it, or NULL.
  mutating func period(_ name: StaticString, _ value: Period?) {
    guard let value else { return null(name) }
    let (part, letter): (Int32, UInt8) =
      switch value.unit {
      case .day: value.count % 7 == 0 ? (7, UInt8(ascii: "W")) : (1, UInt8(ascii: "D"))
      case .month: value.count % 12 == 0 ? (12, UInt8(ascii: "Y")) : (1, UInt8(ascii: "M"))
      }
    begin(name)
    let start = body.count
    body.append(UInt8(ascii: "P"))
    body.appendDecimal(Int64(value.count / part))
    body.append(letter)
    endText(start)
  }

  /// A text given as UTF-8, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, utf8: ArraySlice<UInt8>?) {
    guard let utf8 else { return null(name) }
    begin(name)
    let start = body.count
    unsafe utf8.withUnsafeBytes { unsafe body.append($0) }
    endText(start)
  }

  // MARK: Rows

  /// Ends the row.
  mutating func insert() {
    precondition(columns.isEmpty || column == columns.count, "\(table): a column is missing")
    if isHashed {
      canonical.append(UInt8(ascii: "\n"))
      var hash = SHA256()
      unsafe hash.update(bufferPointer: canonical.written)
      rows.digest.add(ContentDigest(row: hash.finalize()))
      canonical.truncate(to: titleLength)
    }
    unsafe rows.add(header: header.written, body: body.written, key: key)
    header.truncate(to: 0)
    body.truncate(to: 0)
    column = 0
    key = nil
    hasHashedColumn = false
  }

  /// The finished rows; the encoder is used up.
  consuming func finish() -> EncodedRows { rows }

  // MARK: Bytes

  @inline(__always)
  private mutating func advance(_ name: StaticString) {
    assert(
      columns.isEmpty || columns[column] == name.description,
      "\(table): \(name) stands where SCHEMA has \(columns[column])")
    column += 1
  }

  @inline(__always)
  private mutating func begin(_ name: StaticString) {
    advance(name)
    guard isHashed else { return }
    if hasHashedColumn { canonical.append(0x1F) }
    hasHashedColumn = true
  }

  @inline(__always)
  private mutating func store(_ value: Int64) {
    let type = SerialType(integer: value)
    header.append(type.code)
    body.appendBigEndian(UInt64(bitPattern: value), bytes: type.width)
  }

  /// Ends a text that was written to the body from a position on.
  @inline(__always)
  private mutating func endText(_ start: Int) {
    let length = body.count - start
    header.appendVarint(UInt64(13 + 2 * length))
    guard isHashed else { return }
    unsafe canonical.append(UnsafeRawBufferPointer(rebasing: body.written[start...]))
  }
}
