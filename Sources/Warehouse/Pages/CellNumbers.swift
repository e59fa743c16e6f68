/// The two numbers at the beginning of a table's cell.
struct CellNumbers {
  /// The length of the row's record in bytes, overflow pages included.
  let payload: UInt64
  /// The row's number.
  let row: Int64
  /// Where the payload begins.
  let end: Int

  /// Reads them; `nil` where the page ends before they do.
  @inline(__always)
  init?(_ page: UnsafeRawBufferPointer, at start: Int) {
    var place = start
    guard let payload = unsafe Self.number(page, &place), let row = unsafe Self.number(page, &place)
    else { return nil }
    self.payload = payload
    self.row = Int64(bitPattern: row)
    end = place
  }

  /// The number that stands somewhere; `nil` where the page ends before it does.
  @inline(__always)
  static func number(_ page: UnsafeRawBufferPointer, _ place: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < page.count else { return nil }
      let byte = unsafe page[place]
      place += 1
      if index == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
