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
    largest = isIndex ? (PageFile.pageSize - 12) * 64 / 255 - 23 : PageFile.pageSize - 35
  }

  /// The cell of the last payload.
  var written: UnsafeRawBufferPointer { unsafe cell.written }

  /// Encodes a payload, with the row's number in tables.
  @inline(__always)
  mutating func encode(_ payload: UnsafeRawBufferPointer, row: Int64?) throws(RunFailure) {
    cell.truncate(to: 0)
    cell.appendVarint(UInt64(payload.count))
    if let row { cell.appendVarint(UInt64(bitPattern: row)) }
    guard payload.count > largest else { return unsafe cell.append(payload) }
    let smallest = (PageFile.pageSize - 12) * 32 / 255 - 23
    let spilled = smallest + (payload.count - smallest) % (PageFile.pageSize - 4)
    let kept = spilled <= largest ? spilled : smallest
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
