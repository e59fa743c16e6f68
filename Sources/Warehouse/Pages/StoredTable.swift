/// The rows of a table, straight from its pages: SQLite's file format, section 1.6.
struct StoredTable: Sendable {
  private static let deepest = 20

  private let pages: StoredPages
  /// The leaves, in the order of the rows.
  let leaves: [UInt32]
  /// By leaf: no row of it, nor of one before it, has a larger number.
  private let bounds: [Int64]
  private let examined: ExaminedTree?

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
    examined = nil
  }

  /// The table of a tree that is being examined.
  init(_ tree: ExaminedTree) {
    pages = tree.pages
    leaves = tree.leaves
    bounds = tree.bounds
    examined = tree
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

  /// The rows of some leaves, which are examined, where the tree is.
  func examinedRows(in range: Range<Int>) -> StoredRows {
    StoredRows(pages, leaves: leaves[range], pagesPerRead: 64, examined: examined)
  }

  /// Lends the rows of some leaves, one after another.
  func forEachRow(in range: Range<Int>, _ body: (Int64, UnsafeRawBufferPointer) -> Void) throws {
    let rows = examinedRows(in: range)
    while let row = try rows.next() { unsafe body(row, rows.record) }
  }

  /// The number of a page that a page names.
  static func child(
    _ page: UnsafeRawBufferPointer, _ place: Int, _ parent: UInt32
  ) throws -> UInt32 {
    let number = unsafe long(page, place)
    guard number > 1 else { throw DamagedPage(number: parent) }
    return number
  }

  /// Four bytes as a number, the highest first.
  static func long(_ page: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    unsafe UInt32(word(page, place)) << 16 | UInt32(word(page, place + 2))
  }

  /// Two bytes as a number, the higher first.
  static func word(_ page: UnsafeRawBufferPointer, _ place: Int) -> UInt16 {
    unsafe UInt16(page[place]) << 8 | UInt16(page[place + 1])
  }
}
