internal import Diagnostics
internal import Glibc

/// A finished database file that is read page by page, beside SQLite.
///
/// Only for a file that nobody changes meanwhile. What does not look like a page of a table throws
/// ``DamagedPage``: SQLite is then asked what is wrong.
final class StoredPages: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  init(path: String) throws(RunFailure) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FilePublication.failure(errno, path: path, doing: "opened")
    }
  }

  deinit {
    _ = close(descriptor)
  }

  /// Reads pages that lie one after another.
  func read(_ first: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws {
    let offset = off_t(first - 1) * off_t(PageFile.pageSize)
    var done = 0
    while done < buffer.count {
      let count = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
        offset + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DamagedPage(number: first) }
      done += count
    }
  }
}

/// A page that is not what it should be.
struct DamagedPage: Error {
  /// Its number.
  var number: UInt32
}

/// The rows of a table, straight from its pages: SQLite's file format, section 1.6.
struct StoredTable: Sendable {
  private static let deepest = 20

  private let pages: StoredPages
  /// The leaves, in the order of the rows.
  let leaves: [UInt32]
  /// By leaf: no row of it, nor of one before it, has a larger number.
  private let bounds: [Int64]

  /// The pages of one level of the tree, each with the bound of the rows below it.
  private typealias Level = [(page: UInt32, bound: Int64)]

  /// Looks up the leaves below a root.
  init(_ pages: StoredPages, root: UInt32) throws {
    self.pages = pages
    var level: Level = [(root, .max)]
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: PageFile.pageSize, alignment: 8)
    defer { unsafe page.deallocate() }
    for _ in 0..<Self.deepest {
      guard let first = level.first?.page else { break }
      unsafe try pages.read(first, into: page)
      if unsafe page[0] == PageBuilder.Kind.tableLeaf.rawValue { break }
      var lower: Level = []
      for parent in level {
        unsafe try pages.read(parent.page, into: page)
        unsafe try Self.children(of: UnsafeRawBufferPointer(page), parent, into: &lower)
      }
      level = lower
    }
    leaves = level.map(\.page)
    bounds = level.map(\.bound)
  }

  private static func children(
    of page: UnsafeRawBufferPointer, _ parent: Level.Element, into lower: inout Level
  ) throws {
    let damage = DamagedPage(number: parent.page)
    guard unsafe page[0] == PageBuilder.Kind.tableInterior.rawValue else { throw damage }
    for cell in 0..<Int(unsafe word(page, 3)) {
      guard 12 + 2 * cell + 2 <= page.count else { throw damage }
      let start = Int(unsafe word(page, 12 + 2 * cell))
      guard start + 4 <= page.count else { throw damage }
      var place = start + 4
      guard let bound = unsafe CellNumbers.number(page, &place) else { throw damage }
      lower.append((try unsafe child(page, start, parent.page), Int64(bitPattern: bound)))
    }
    lower.append((try unsafe child(page, 8, parent.page), parent.bound))
  }

  /// The rows from about this number on: the first leaf that may hold it, and all after it.
  func rows(from number: Int64, pagesPerRead: Int = 64) -> StoredRows {
    var (low, high) = (0, leaves.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] < number { low = middle + 1 } else { high = middle }
    }
    return rows(in: low..<leaves.count, pagesPerRead: pagesPerRead)
  }

  /// The rows of some leaves, one after another; so many leaves are read at once.
  func rows(in range: Range<Int>, pagesPerRead: Int = 64) -> StoredRows {
    StoredRows(pages, leaves: leaves[range], pagesPerRead: pagesPerRead)
  }

  /// Lends the rows of some leaves, one after another.
  func forEachRow(in range: Range<Int>, _ body: (Int64, UnsafeRawBufferPointer) -> Void) throws {
    let rows = rows(in: range)
    while let row = try rows.next() { unsafe body(row, rows.record) }
  }

  fileprivate static func child(
    _ page: UnsafeRawBufferPointer, _ place: Int, _ parent: UInt32
  ) throws -> UInt32 {
    let number = unsafe UInt32(word(page, place)) << 16 | UInt32(word(page, place + 2))
    guard number > 1 else { throw DamagedPage(number: parent) }
    return number
  }

  fileprivate static func word(_ page: UnsafeRawBufferPointer, _ place: Int) -> UInt16 {
    unsafe UInt16(page[place]) << 8 | UInt16(page[place + 1])
  }
}

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

/// The two numbers at the beginning of a table's cell.
private struct CellNumbers {
  let payload: UInt64
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
