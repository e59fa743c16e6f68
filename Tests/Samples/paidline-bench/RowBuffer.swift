internal import GRDBSQLite

/// Rows in memory, in a form that is bound to statements without a copy.
///
/// Each value begins with one byte for its kind. A number has eight more bytes. A text or blob has
/// four bytes for its length, then its bytes. NULL has no more bytes. So inserting the rows needs
/// little more than SQLite's own time.
@safe
final class RowBuffer {
  private enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity = 1 << 20
  private var end = 0
  private(set) var rows = 0

  init() {
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Removes all rows and keeps the memory.
  func clear() {
    end = 0
    rows = 0
  }

  /// Appends the current row of a statement.
  func append(rowOf statement: OpaquePointer, columns: Int32) {
    for column in 0..<columns {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_NULL: append(.null)
      case SQLITE_INTEGER: append(.integer, unsafe sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT:
        let bits = unsafe sqlite3_column_double(statement, column).bitPattern
        append(.real, Int64(bitPattern: bits))
      case SQLITE_TEXT:
        let start = unsafe UnsafeRawPointer(sqlite3_column_text(statement, column))
        unsafe append(.text, start, Int(sqlite3_column_bytes(statement, column)))
      default:
        let start = unsafe sqlite3_column_blob(statement, column)
        unsafe append(.blob, start, Int(sqlite3_column_bytes(statement, column)))
      }
    }
    rows += 1
  }

  /// Inserts all rows with a statement that has one parameter per column.
  ///
  /// - Returns: The first SQLite result code of a failed insert; `nil` if all rows were inserted.
  func insert(with statement: OpaquePointer, columns: Int32) -> Int32? {
    var place = unsafe UnsafeRawPointer(memory)
    for _ in 0..<rows {
      for parameter in 1...columns {
        let kind = unsafe Kind(rawValue: place.load(as: UInt8.self))
        unsafe place += 1
        switch kind {
        case .integer:
          let value = unsafe place.loadUnaligned(as: Int64.self)
          unsafe sqlite3_bind_int64(statement, parameter, value)
          unsafe place += 8
        case .real:
          let bits = unsafe place.loadUnaligned(as: UInt64.self)
          unsafe sqlite3_bind_double(statement, parameter, Double(bitPattern: bits))
          unsafe place += 8
        case .text:
          let count = unsafe place.loadUnaligned(as: Int32.self)
          let text = unsafe (place + 4).assumingMemoryBound(to: CChar.self)
          unsafe sqlite3_bind_text(statement, parameter, text, count, nil)
          unsafe place += 4 + Int(count)
        case .blob:
          let count = unsafe place.loadUnaligned(as: Int32.self)
          unsafe sqlite3_bind_blob(statement, parameter, place + 4, count, nil)
          unsafe place += 4 + Int(count)
        case .null, nil:
          unsafe sqlite3_bind_null(statement, parameter)
        }
      }
      let result = unsafe sqlite3_step(statement)
      guard result == SQLITE_DONE else { return result }
      unsafe sqlite3_reset(statement)
    }
    return nil
  }

  private func append(_ kind: Kind) {
    reserve(1)
    unsafe memory.storeBytes(of: kind.rawValue, toByteOffset: end, as: UInt8.self)
    end += 1
  }

  private func append(_ kind: Kind, _ value: Int64) {
    append(kind)
    reserve(8)
    unsafe memory.storeBytes(of: value, toByteOffset: end, as: Int64.self)
    end += 8
  }

  private func append(_ kind: Kind, _ start: UnsafeRawPointer?, _ count: Int) {
    append(kind)
    reserve(4 + count)
    unsafe memory.storeBytes(of: Int32(count), toByteOffset: end, as: Int32.self)
    if let start = unsafe start {
      unsafe (memory + end + 4).copyMemory(from: start, byteCount: count)
    }
    end += 4 + count
  }

  private func reserve(_ count: Int) {
    guard end + count > capacity else { return }
    let larger = max(capacity * 2, end + count)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    unsafe moved.copyMemory(from: memory, byteCount: end)
    unsafe memory.deallocate()
    unsafe memory = moved
    capacity = larger
  }
}
