/// The rows of a table's leaves, in their order.
@safe
final class StoredRows {
  private let pages: StoredPages
  private let leaves: StoredLeaves
  private let examined: ExaminedTree?
  private var page: UnsafeRawBufferPointer
  private var number: UInt32 = 0
  private var cell = 0
  private var cells = 0
  private var overflow: UnsafeMutableRawBufferPointer  // a record that goes on in other pages
  private var local: UnsafeRawBufferPointer

  /// Begins before the first row; of an examined tree each leaf is examined first.
  init(
    _ pages: StoredPages, leaves: ArraySlice<UInt32>, pagesPerRead: Int,
    examined: ExaminedTree? = nil
  ) {
    self.pages = pages
    self.examined = examined
    self.leaves = StoredLeaves(pages, leaves: leaves, pagesPerRead: pagesPerRead)
    unsafe page = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe local = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe overflow = .allocate(byteCount: 0, alignment: 8)
  }

  deinit {
    unsafe overflow.deallocate()
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
    guard let (place, number, page) = unsafe try leaves.take() else { return false }
    unsafe try examined?.examine(page, leaf: place)
    guard unsafe page[0] == PageBuilder.Kind.tableLeaf.rawValue else {
      throw DamagedPage(number: number)
    }
    self.number = number
    unsafe self.page = page
    cell = 0
    cells = Int(unsafe StoredTable.word(page, 3))
    guard 8 + 2 * cells <= PageFile.pageSize else { throw DamagedPage(number: number) }
    return true
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
      next = unsafe StoredTable.long(bytes, 0)
    }
    unsafe local = UnsafeRawBufferPointer(gathered)
  }
}
