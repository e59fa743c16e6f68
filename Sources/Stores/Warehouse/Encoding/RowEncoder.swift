internal import CivilTime
internal import Crypto
internal import PurchaseModel

/// Encodes rows of facts for the warehouse, column by column in the schema's order.
///
/// Each call encodes one value twice: for the row's record (``ValueMark``), and as canonical bytes
/// for `content_digest`. So the hashed values equal the stored values. Debug builds check the names
/// of the columns.
@safe
struct RowEncoder: ~Copyable {
  /// The names of the columns of each table; used only in debug builds.
  private static let columns =
    (try? WarehouseLayout.columns().mapValues { $0.map(\.name) }) ?? [:]

  private let texts: SymbolTexts
  private var table = FactTable.revenue
  private var column = 0
  private var hasCanonicalColumn = false
  private var key = ByteSink(capacity: 64)
  private var record = ByteSink(capacity: 4096)
  private var canonical = ByteSink(capacity: 4096)
  var rows = FactRows()

  init(texts: SymbolTexts) {
    self.texts = texts
  }

  mutating func begin(_ table: FactTable) {
    self.table = table
    key.truncate(to: 0)
    record.truncate(to: 0)
    canonical.truncate(to: 0)
    var name = table.name
    name.withUTF8 { unsafe canonical.append($0) }
    canonical.append(UInt8(ascii: "\n"))
    column = 0
    hasCanonicalColumn = false
  }

  // MARK: Values

  /// Encodes the whole number that is the table's primary key.
  @inline(__always)
  mutating func key(_ name: StaticString, _ value: Int64) {
    SortKey.append(value, to: &key)
    begin(name)
    canonical.appendDecimal(value)
    record.append(ValueMark.null)
  }

  /// Encodes a whole number, or NULL.
  @inline(__always)
  mutating func integer(_ name: StaticString, _ value: Int64?) {
    guard let value else { return null(name) }
    if column < table.keyColumns { SortKey.append(value, to: &key) }
    begin(name)
    canonical.appendDecimal(value)
    record.appendValue(value)
  }

  /// Encodes the run, source file or line that the row is from; not in the content digest.
  @inline(__always)
  mutating func provenance(_ name: StaticString, _ value: Int64) {
    advance(name)
    record.appendValue(value)
  }

  /// Encodes a text of the primary key; not included in the content digest.
  mutating func unhashedKey(_ name: StaticString, _ value: String) {
    var value = value
    advance(name)
    value.withUTF8 {
      unsafe record.appendValue(UnsafeRawBufferPointer($0))
      unsafe key.append($0)
    }
    SortKey.endText(&key)
  }

  /// Encodes a Boolean as 0 or 1, or NULL.
  @inline(__always)
  mutating func flag(_ name: StaticString, _ value: Bool?) {
    integer(name, value.map { $0 ? 1 : 0 })
  }

  @inline(__always)
  mutating func null(_ name: StaticString) {
    begin(name)
    canonical.append(0)
    record.append(ValueMark.null)
  }

  /// Encodes a text, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: String?) {
    guard var value else { return null(name) }
    begin(name)
    let start = canonical.count
    value.withUTF8 { unsafe canonical.append($0) }
    endText(start)
  }

  /// Encodes the text of a symbol, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: Symbol?) {
    guard let value else { return null(name) }
    begin(name)
    let start = canonical.count
    texts.append(value, to: &canonical)
    endText(start)
  }

  /// Encodes an id in the form that Apple wrote, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, _ value: AppleNumber?) {
    guard let value else { return null(name) }
    if let symbol = value.symbol { return text(name, symbol) }
    begin(name)
    let start = canonical.count
    canonical.appendDecimal(Int64(value.rawValue))
    endText(start)
  }

  /// Encodes a currency or storefront, given as packed letters, or NULL.
  @inline(__always)
  mutating func letters(_ name: StaticString, _ packed: UInt32?) {
    guard let packed else { return null(name) }
    begin(name)
    let start = canonical.count
    canonical.reserve(4)
    put(packed >> 24)
    put(packed >> 16)
    put(packed >> 8)
    put(packed)
    endText(start)
  }

  @inline(__always)
  private mutating func put(_ letter: UInt32) {
    if letter & 0xFF != 0 { canonical.put(UInt8(letter & 0xFF)) }
  }

  /// Encodes a time in UTC, in whole seconds, or NULL.
  @inline(__always)
  mutating func time(_ name: StaticString, _ value: Instant?) {
    guard let value else { return null(name) }
    begin(name)
    let start = canonical.count
    canonical.append(min(max(value, .distantPast), .distantFuture))
    endText(start)
  }

  /// Encodes a UTC day, or NULL.
  @inline(__always)
  mutating func day(_ name: StaticString, _ value: CivilDay?) {
    guard let value else { return null(name) }
    begin(name)
    let start = canonical.count
    canonical.append(min(max(value, Instant.distantPast.day), Instant.distantFuture.day))
    endText(start)
  }

  /// Encodes a length of time in ISO 8601, such as `P1M`, or NULL.
  mutating func period(_ name: StaticString, _ value: Period?) {
    guard let value else { return null(name) }
    let (part, letter): (Int32, UInt8) =
      switch value.unit {
      case .day: value.count % 7 == 0 ? (7, UInt8(ascii: "W")) : (1, UInt8(ascii: "D"))
      case .month: value.count % 12 == 0 ? (12, UInt8(ascii: "Y")) : (1, UInt8(ascii: "M"))
      }
    begin(name)
    let start = canonical.count
    canonical.append(UInt8(ascii: "P"))
    canonical.appendDecimal(Int64(value.count / part))
    canonical.append(letter)
    endText(start)
  }

  /// Encodes a text given as UTF-8, or NULL.
  @inline(__always)
  mutating func text(_ name: StaticString, utf8: ArraySlice<UInt8>?) {
    guard let utf8 else { return null(name) }
    begin(name)
    let start = canonical.count
    unsafe utf8.withUnsafeBytes { unsafe canonical.append($0) }
    endText(start)
  }

  // MARK: Rows

  mutating func insert() {
    assert(column == Self.columns[table.name]?.count, "\(table.name): a column is missing")
    canonical.append(UInt8(ascii: "\n"))
    var hash = SHA256()
    unsafe hash.update(bufferPointer: canonical.written)
    let digest = ContentDigest(row: hash.finalize())
    unsafe rows.add(table, key: key.written, record: record.written, digest: digest)
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func advance(_ name: StaticString) {
    assert(
      Self.columns[table.name]?[column] == name.description,
      "\(table.name): \(name) is not the column at position \(column)")
    column += 1
  }

  @inline(__always)
  private mutating func begin(_ name: StaticString) {
    advance(name)
    if hasCanonicalColumn { canonical.append(0x1F) }
    hasCanonicalColumn = true
  }

  /// Ends a text: copies its canonical bytes to the record and, in a key column, to the sort key.
  ///
  /// - Parameter start: The offset of the text's first byte in the canonical bytes.
  @inline(__always)
  private mutating func endText(_ start: Int) {
    let text = unsafe UnsafeRawBufferPointer(rebasing: canonical.written[start...])
    unsafe record.appendValue(text)
    // `column` has already been incremented, so the number of the first column is 1.
    if column <= table.keyColumns {
      unsafe key.append(text)
      SortKey.endText(&key)
    }
  }
}
