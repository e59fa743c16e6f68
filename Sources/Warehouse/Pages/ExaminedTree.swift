/// The b-tree of a table or an index that is examined page by page: those above the leaves at
/// once, the leaves when they are read.
struct ExaminedTree: Sendable {
  private static let deepest = 20

  /// A page, and the bound of the rows below it.
  private struct Child {
    var page: UInt32
    var bound = Int64.max
  }

  private let examination: PageExamination
  private let isIndex: Bool
  /// The leaves, in the order of the rows or entries.
  let leaves: [UInt32]
  /// By leaf, for tables: no row of it, nor of one before it, has a larger number.
  let bounds: [Int64]

  /// The file.
  var pages: StoredPages { examination.pages }

  /// Examines the pages above the leaves, and claims all.
  ///
  /// - Throws: ``DamagedPage`` where only SQLite can tell whether they are sound.
  init(_ examination: PageExamination, root: UInt32, isIndex: Bool) throws {
    self.examination = examination
    self.isIndex = isIndex
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: PageFile.pageSize, alignment: 8)
    defer { unsafe page.deallocate() }
    let leaf = PageBuilder.Kind.leaf(isIndex: isIndex)
    var level = [Child(page: root)]
    for depth in 0... {
      guard let first = level.first?.page, depth < Self.deepest else {
        throw DamagedPage(number: root)
      }
      try examination.use.claim(level.map(\.page))
      unsafe try examination.pages.read(first, into: page)
      if unsafe page[PageBuilder.headerStart(onPage: first)] == leaf.rawValue { break }
      var lower: [Child] = []
      for parent in level {
        unsafe try examination.pages.read(parent.page, into: page)
        unsafe try examination.examine(
          UnsafeRawBufferPointer(page), number: parent.page,
          kind: isIndex ? .indexInterior : .tableInterior,
          rows: (lower.last?.bound, parent.bound))
        unsafe Self.children(
          of: UnsafeRawBufferPointer(page), parent, isIndex: isIndex, into: &lower)
      }
      level = lower
    }
    leaves = level.map(\.page)
    bounds = level.map(\.bound)
  }

  /// Appends the children of a page that was examined.
  private static func children(
    of page: UnsafeRawBufferPointer, _ parent: Child, isIndex: Bool, into lower: inout [Child]
  ) {
    let kind = isIndex ? PageBuilder.Kind.indexInterior : .tableInterior
    let header = PageBuilder.headerStart(onPage: parent.page)
    for cell in 0..<Int(unsafe StoredTable.word(page, header + 3)) {
      let start = Int(unsafe StoredTable.word(page, header + kind.headerSize + 2 * cell))
      guard let span = unsafe CellSpan(page, at: start, kind) else { continue }
      let bound = isIndex ? .max : span.row
      lower.append(Child(page: unsafe StoredTable.long(page, start), bound: bound))
    }
    lower.append(Child(page: unsafe StoredTable.long(page, header + 8), bound: parent.bound))
  }

  /// Examines a leaf by its place among all.
  func examine(_ page: UnsafeRawBufferPointer, leaf: Int) throws {
    unsafe try examination.examine(
      page, number: leaves[leaf], kind: .leaf(isIndex: isIndex),
      rows: (!isIndex && leaf > 0 ? bounds[leaf - 1] : nil, bounds[leaf]))
  }

  /// Examines some leaves.
  func examineLeaves(_ range: Range<Int>) throws {
    let leaves = StoredLeaves(pages, leaves: self.leaves[range], pagesPerRead: 64)
    while let (place, _, page) = unsafe try leaves.take() {
      unsafe try examine(page, leaf: place)
    }
  }
}
