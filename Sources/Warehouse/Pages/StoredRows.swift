/// The rows of a table's leaves, in their order.
@safe
final class StoredRows {
  private let pages: StoredPages
  private let pagesPerRead: Int
  private let leaves: ArraySlice<UInt32>
  private let buffer: UnsafeMutableRawBufferPointer
  private var leaf: Int  // the next one to be taken from the buffer
  private var bufferStart: Int  // the leaf that it begins with
  private var bufferEnd: Int
  private var page: UnsafeRawBufferPointer
  private var number: UInt32 = 0
  private var cell = 0
  private var cells = 0
  private var overflow: UnsafeMutableRawBufferPointer  // a record that goes on in other pages
  private var local: UnsafeRawBufferPointer

  /// Begins before the first row.
  init(_ pages: StoredPages, leaves: ArraySlice<UInt32>, pagesPerRead: Int) {
    self.pages = pages
    self.pagesPerRead = pagesPerRead
    self.leaves = leaves
    leaf = leaves.startIndex
    bufferStart = leaf
    bufferEnd = leaf
    unsafe buffer = .allocate(byteCount: pagesPerRead * PageFile.pageSize, alignment: 8)
    unsafe page = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe local = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe overflow = .allocate(byteCount: 0, alignment: 8)
  }

  deinit {
    unsafe overflow.deallocate()
    unsafe buffer.deallocate()
  }

  /// The record of the row; it stays until the next one is asked for.
  var record: UnsafeRawBufferPointer { unsafe local }

  /// Goes to the next row and tells its number; `nil` after the last.
  @inline(__always)
  func next() throws -> Int64? {
    while cell == cells {
      guard try nextLeaf() else { return nil }
    }
    cell += 1
    return try read(cell - 1)
  }

  private func nextLeaf() throws -> Bool {
    guard leaf < leaves.endIndex else { return false }
    if leaf == bufferEnd { try fill() }
    let start = (leaf - bufferStart) * PageFile.pageSize
    unsafe page = UnsafeRawBufferPointer(rebasing: buffer[start..<start + PageFile.pageSize])
    number = leaves[leaf]
    leaf += 1
    guard unsafe page[0] == PageBuilder.Kind.tableLeaf.rawValue else {
      throw DamagedPage(number: number)
    }
    cell = 0
    cells = Int(unsafe StoredTable.word(page, 3))
    guard 8 + 2 * cells <= PageFile.pageSize else { throw DamagedPage(number: number) }
    return true
  }

  /// Reads the next leaves, as many as lie one after another.
  private func fill() throws {
    bufferStart = leaf
    bufferEnd = leaf + 1
    while bufferEnd < leaves.endIndex, bufferEnd - bufferStart < pagesPerRead,
      leaves[bufferEnd] == leaves[bufferEnd - 1] + 1
    {
      bufferEnd += 1
    }
    unsafe try pages.read(
      leaves[bufferStart],
      into: UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<((bufferEnd - bufferStart) * PageFile.pageSize)]))
  }

  private func read(_ cell: Int) throws -> Int64 {
    let start = Int(unsafe StoredTable.word(page, 8 + 2 * cell))
    guard start >= 8, let numbers = unsafe CellNumbers(page, at: start), numbers.payload <= 1 << 30
    else { throw DamagedPage(number: number) }
    let kept = PageFile.kept(of: Int(numbers.payload), largest: PageFile.largestInTable)
    let isSpilled = kept < Int(numbers.payload)
    guard numbers.end + kept + (isSpilled ? 4 : 0) <= PageFile.pageSize else {
      throw DamagedPage(number: number)
    }
    unsafe local = UnsafeRawBufferPointer(rebasing: page[numbers.end..<numbers.end + kept])
    if isSpilled {
      let first = unsafe try StoredTable.child(page, numbers.end + kept, number)
      try gather(first, count: Int(numbers.payload))
    }
    return numbers.row
  }

  /// Puts a payload together that goes on in overflow pages.
  private func gather(_ first: UInt32, count: Int) throws {
    let gathered = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    unsafe overflow.deallocate()
    unsafe overflow = gathered
    unsafe gathered.copyMemory(from: local)
    var done = unsafe local.count
    var next = first
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: PageFile.pageSize, alignment: 8)
    defer { unsafe page.deallocate() }
    while done < count {
      guard next > 1 else { throw DamagedPage(number: first) }
      unsafe try pages.read(next, into: page)
      let more = min(count - done, PageFile.pageSize - 4)
      unsafe UnsafeMutableRawBufferPointer(rebasing: gathered[done..<done + more])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: page[4..<4 + more]))
      done += more
      let bytes = UnsafeRawBufferPointer(page)
      next = unsafe UInt32(StoredTable.word(bytes, 0)) << 16 | UInt32(StoredTable.word(bytes, 2))
    }
    unsafe local = UnsafeRawBufferPointer(gathered)
  }
}
