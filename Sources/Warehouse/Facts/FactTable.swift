internal import Amounts
internal import CivilTime
internal import GRDB
internal import PurchaseModel

/// A table that is being filled, row by row and column by column, in SCHEMA's order.
///
/// Every value is written once into the row's canonical bytes (SCHEMA, "Keys and hash") and bound
/// from there, so what is hashed and what is stored cannot differ. Column names are checked in
/// debug builds. Without a database only the hash is computed.
@safe
final class FactTable {
  private let name: String
  private let symbols: SymbolTable
  private let hash: ContentHash?
  private let columns: [String]
  private let statement: RawStatement?
  private var bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var column: Int32 = 0
  private var hasHashedColumn = false
  private var bound: [Bound]
  /// How many rows were written.
  private(set) var rows = 0

  /// Begins a table; `hash` is `nil` for tables that the content hash leaves out.
  init(_ name: String, symbols: SymbolTable, hash: ContentHash?, on db: Database?) throws {
    self.name = name
    self.symbols = symbols
    self.hash = hash
    unsafe bytes = .allocate(capacity: 4096)
    columns = try db.map { try WarehouseSchema.columns(of: name, on: $0) } ?? []
    if let db {
      let places = columns.map { _ in "?" }.joined(separator: ",")
      statement = try RawStatement(name, "INSERT INTO \(name) VALUES (\(places))", on: db)
    } else {
      statement = nil
    }
    bound = columns.map { _ in .text }
    hash?.begin(table: name)
  }

  /// What a parameter holds from the row before; a text must be bound again for each row.
  private enum Bound: Equatable {
    case text
    case null
    case integer(Int64)
  }

  deinit {
    unsafe bytes.deallocate()
  }

  // MARK: Values

  /// A whole number, or NULL.
  @inline(__always)
  func integer(_ name: StaticString, _ value: Int64?) {
    guard let value else { return null(name) }
    begin(name)
    appendDigits(value)
    bind(value)
  }

  /// A whole number that the content hash leaves out.
  @inline(__always)
  func unhashed(_ name: StaticString, _ value: Int64) {
    advance(name)
    bind(value)
  }

  /// 0 or 1, or NULL.
  @inline(__always)
  func flag(_ name: StaticString, _ value: Bool?) {
    integer(name, value.map { $0 ? 1 : 0 })
  }

  /// NULL.
  func null(_ name: StaticString) {
    begin(name)
    append(0)
    guard let statement, bound[Int(column) - 1] != .null else { return }
    statement.bindNull(at: column)
    bound[Int(column) - 1] = .null
  }

  /// A text, or NULL.
  func text(_ name: StaticString, _ value: String?) {
    guard var value else { return null(name) }
    text(name) {
      value.withUTF8 { unsafe append(contentsOf: $0) }
    }
  }

  /// The text of a symbol, or NULL.
  func text(_ name: StaticString, _ value: Symbol?) {
    guard let value else { return null(name) }
    text(name) { append(contentsOf: symbols.utf8(value)) }
  }

  /// Apple's number as Apple wrote it, or NULL.
  func text(_ name: StaticString, _ value: AppleNumber?) {
    guard let value else { return null(name) }
    if let symbol = value.symbol { return text(name, symbol) }
    text(name) { appendDigits(Int64(value.rawValue)) }
  }

  /// The letters of a packed currency or storefront, or NULL.
  func letters(_ name: StaticString, _ packed: UInt32?) {
    guard let packed else { return null(name) }
    text(name) {
      for shift in [24, 16, 8, 0] as [UInt32] where packed >> shift & 0xFF != 0 {
        append(UInt8(packed >> shift & 0xFF))
      }
    }
  }

  /// A moment in whole seconds, UTC, or NULL.
  func time(_ name: StaticString, _ value: Instant?) {
    guard let value else { return null(name) }
    let written = min(max(value, .distantPast), .distantFuture)
    text(name) {
      reserve(20)
      count += unsafe written.write(into: UnsafeMutableBufferPointer(rebasing: bytes[count...]))
    }
  }

  /// A UTC day, or NULL.
  func day(_ name: StaticString, _ value: CivilDay?) {
    guard let value else { return null(name) }
    let written = min(max(value, Instant.distantPast.day), Instant.distantFuture.day)
    text(name) {
      reserve(10)
      count += unsafe written.write(into: UnsafeMutableBufferPointer(rebasing: bytes[count...]))
    }
  }

  /// A length as ISO 8601 writes it, or NULL.
  func period(_ name: StaticString, _ value: Period?) {
    guard let value else { return null(name) }
    let (part, letter): (Int32, StaticString) =
      switch value.unit {
      case .day: value.count % 7 == 0 ? (7, "W") : (1, "D")
      case .month: value.count % 12 == 0 ? (12, "Y") : (1, "M")
      }
    text(name) {
      append(UInt8(ascii: "P"))
      appendDigits(Int64(value.count / part))
      append(unsafe letter.utf8Start.pointee)
    }
  }

  /// The lower-case hex digits of a customer's keyed hash, or NULL.
  func text(_ name: StaticString, utf8: ArraySlice<UInt8>?) {
    guard let utf8 else { return null(name) }
    text(name) { append(contentsOf: utf8) }
  }

  // MARK: Rows

  /// A hash of the values so far that tells rows of this run of the program apart.
  var digest: Int { unsafe RowDigest.of(UnsafeRawBufferPointer(rebasing: rawBytes[..<count])) }

  /// Stores and hashes the row, and begins the next one.
  func insert() throws {
    precondition(columns.isEmpty || Int(column) == columns.count, "\(name): a column is missing")
    append(UInt8(ascii: "\n"))
    unsafe hash?.add(UnsafeRawBufferPointer(rebasing: rawBytes[..<count]))
    try statement?.run()
    count = 0
    column = 0
    hasHashedColumn = false
    rows += 1
  }

  // MARK: Bytes

  private var rawBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(bytes) }

  @inline(__always)
  private func advance(_ name: StaticString) {
    assert(
      columns.isEmpty || columns[Int(column)] == name.description,
      "\(self.name): \(name) stands where SCHEMA has \(columns[Int(column)])")
    column += 1
  }

  @inline(__always)
  private func begin(_ name: StaticString) {
    advance(name)
    if hasHashedColumn { append(0x1F) }
    hasHashedColumn = true
  }

  @inline(__always)
  private func text(_ name: StaticString, _ write: () -> Void) {
    begin(name)
    let start = count
    write()
    guard let statement else { return }
    let written = unsafe UnsafeBufferPointer(rebasing: bytes[start..<count])
    unsafe statement.bind(text: written.span, at: column)
    bound[Int(column) - 1] = .text
  }

  /// Binds a number, unless the parameter still holds it from the row before.
  @inline(__always)
  private func bind(_ value: Int64) {
    guard let statement, bound[Int(column) - 1] != .integer(value) else { return }
    statement.bind(value, at: column)
    bound[Int(column) - 1] = .integer(value)
  }

  @inline(__always)
  private func append(_ byte: UInt8) {
    reserve(1)
    unsafe bytes[count] = byte
    count += 1
  }

  private func append(contentsOf slice: ArraySlice<UInt8>) {
    unsafe slice.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  private func append(contentsOf source: UnsafeBufferPointer<UInt8>) {
    reserve(source.count)
    _ = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count...]).update(fromContentsOf: source)
    count += source.count
  }

  private func appendDigits(_ value: Int64) {
    reserve(20)
    var magnitude = value.magnitude
    var digits = 1
    while magnitude >= 10 {
      magnitude /= 10
      digits += 1
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    magnitude = value.magnitude
    for place in stride(from: digits - 1, through: 0, by: -1) {
      unsafe bytes[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
      magnitude /= 10
    }
    count += digits
  }

  @inline(__always)
  private func reserve(_ more: Int) {
    if unsafe count + more > bytes.count { grow(more) }
  }

  private func grow(_ more: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: unsafe max(2 * bytes.count, count + more))
    _ = unsafe larger.update(fromContentsOf: bytes[..<count])
    unsafe bytes.deallocate()
    unsafe bytes = larger
  }
}

/// A hash that tells rows apart within one run of the program; never stored.
enum RowDigest {
  /// The digest of a row's canonical bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}
