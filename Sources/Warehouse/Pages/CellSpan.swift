/// Where a cell lies on its page, and what it says of its row (SQLite's file format, section 1.6).
struct CellSpan {
  /// The bytes of the page that it takes.
  let bytes: Range<Int>
  /// The number of its row, in tables.
  let row: Int64
  /// How many bytes of its payload stand on overflow pages, whose first number is its last bytes.
  let spilled: Int

  /// Reads a cell of a page; `nil` where it goes beyond the page's end.
  @inline(__always)
  init?(_ page: UnsafeRawBufferPointer, at start: Int, _ kind: PageBuilder.Kind) {
    var place = kind.isLeaf ? start : start + 4
    var payload: UInt64 = 0
    var row: UInt64 = 0
    if kind != .tableInterior {
      guard let count = unsafe CellNumbers.number(page, &place), count <= 1 << 30 else {
        return nil
      }
      payload = count
    }
    if kind.isTable {
      guard let number = unsafe CellNumbers.number(page, &place) else { return nil }
      row = number
    }
    let largest = kind.isTable ? PageFile.largestInTable : PageFile.largestInIndex
    let kept = PageFile.kept(of: Int(payload), largest: largest)
    spilled = Int(payload) - kept
    // SQLite gives a cell four bytes at least.
    let end = max(place + kept + (spilled > 0 ? 4 : 0), start + 4)
    guard end <= PageFile.pageSize else { return nil }
    bytes = start..<end
    self.row = Int64(bitPattern: row)
  }
}
