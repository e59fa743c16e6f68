internal import Diagnostics

/// Payloads as cells hold them: whole, or their beginning and a chain of overflow pages (SQLite's
/// file format, section 1.6).
@safe
struct CellEncoder: ~Copyable {
  private let file: PageFile
  private let largest: Int
  private var cell = ByteSink(capacity: PageFile.pageSize)

  /// Encodes for leaves of tables, or for pages of indexes.
  init(file: PageFile, isIndex: Bool) {
    self.file = file
    largest = isIndex ? PageFile.largestInIndex : PageFile.largestInTable
  }

  /// The cell of the last payload, or its beginning if the payload was kept apart.
  var written: UnsafeRawBufferPointer { unsafe cell.written }

  /// Encodes the bytes before a payload that a cell holds whole; `false` for a longer one.
  @inline(__always)
  mutating func encodeStart(of payload: UnsafeRawBufferPointer, row: Int64?) -> Bool {
    guard payload.count <= largest else { return false }
    cell.truncate(to: 0)
    cell.appendVarint(UInt64(payload.count))
    if let row { cell.appendVarint(UInt64(bitPattern: row)) }
    return true
  }

  /// Encodes a payload, with the row's number in tables.
  @inline(__always)
  mutating func encode(_ payload: UnsafeRawBufferPointer, row: Int64?) throws(RunFailure) {
    cell.truncate(to: 0)
    cell.appendVarint(UInt64(payload.count))
    if let row { cell.appendVarint(UInt64(bitPattern: row)) }
    guard payload.count > largest else { return unsafe cell.append(payload) }
    let kept = PageFile.kept(of: payload.count, largest: largest)
    unsafe cell.append(UnsafeRawBufferPointer(rebasing: payload[..<kept]))
    let first = unsafe try spill(UnsafeRawBufferPointer(rebasing: payload[kept...]))
    cell.appendBigEndian(UInt64(first), bytes: 4)
  }

  /// Appends the overflow pages of a payload's rest and tells the first one's number.
  ///
  /// Each page begins with the number of the next, which is known before it is written.
  private func spill(_ rest: UnsafeRawBufferPointer) throws(RunFailure) -> UInt32 {
    let first = file.nextPage
    var page = ByteSink(capacity: PageFile.pageSize)
    var start = 0
    while start < rest.count {
      let end = min(start + PageFile.pageSize - 4, rest.count)
      page.truncate(to: 0)
      page.appendBigEndian(UInt64(end < rest.count ? file.pageAfterNext : 0), bytes: 4)
      unsafe page.append(UnsafeRawBufferPointer(rebasing: rest[start..<end]))
      page.appendZeros(PageFile.pageSize - page.count)
      _ = unsafe try file.append(page.written)
      start = end
    }
    return first
  }
}
