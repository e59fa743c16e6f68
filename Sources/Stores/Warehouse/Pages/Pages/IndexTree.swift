internal import Diagnostics

/// The b-tree of an index, built from entries in their order.
///
/// Unlike a table's tree, an entry occurs once: the entry that separates two leaves is in the page
/// above them.
@safe
struct IndexTree: ~Copyable {
  /// A level of the tree: pages, and the entries between them, one fewer.
  private struct Level {
    var pages: [UInt32] = []
    var dividers: [[UInt8]] = []
  }

  private let file: PageFile
  private let root: UInt32
  private var cells: CellEncoder
  private var leaf = PageBuilder(.indexLeaf)
  /// The leaf before, kept back until the next one is known not to stay empty.
  private var earlier = PageBuilder(.indexLeaf)
  private var divider: [UInt8]?
  private var level = Level()

  /// Begins to build below a root page that SQLite has made.
  init(file: PageFile, root: UInt32) {
    self.file = file
    self.root = root
    cells = CellEncoder(file: file, isIndex: true)
  }

  /// Adds an entry.
  @inline(__always)
  mutating func add(_ record: UnsafeRawBufferPointer) throws(RunFailure) {
    unsafe try cells.encode(record, row: nil)
    if unsafe leaf.hasRoom(for: cells.written.count) {
      unsafe leaf.add(cells.written, UnsafeRawBufferPointer(start: nil, count: 0))
    } else {
      try startLeaf(after: unsafe Array(cells.written))
    }
  }

  /// Ends the leaf; the entry that did not fit parts it from the next one.
  private mutating func startLeaf(after entry: [UInt8]) throws(RunFailure) {
    try flushEarlier()
    swap(&leaf, &earlier)
    divider = entry
  }

  private mutating func flushEarlier() throws(RunFailure) {
    guard let divider else { return }
    level.pages.append(try earlier.append(to: file))
    level.dividers.append(divider)
    self.divider = nil
  }

  /// Writes the pages above the leaves.
  consuming func finish() throws(RunFailure) {
    guard let parting = divider else { return try leaf.replace(root, in: file) }
    if leaf.cells == 0 {
      // No entry follows the last one, so it cannot separate two leaves: the one before it does.
      divider = earlier.removeLast()
      unsafe parting.withUnsafeBytes {
        unsafe leaf.add($0, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
    try flushEarlier()
    level.pages.append(try leaf.append(to: file))
    try Self.write(above: level, root: root, in: file)
  }

  /// Writes level upon level, until one page, the root, is above all others.
  private static func write(above leaves: Level, root: UInt32, in file: PageFile)
    throws(RunFailure)
  {
    var lower = leaves
    while true {
      let groups = groups(of: lower.dividers)
      var upper = Level()
      for group in groups {
        var page = PageBuilder(.indexInterior)
        for child in group.dropLast() {
          var pointer = ByteSink(capacity: 4)
          pointer.appendBigEndian(UInt64(lower.pages[child]), bytes: 4)
          unsafe lower.dividers[child].withUnsafeBytes {
            unsafe page.add(pointer.written, $0)
          }
        }
        let rightmost = lower.pages[group.upperBound - 1]
        if groups.count == 1 { return try page.replace(root, in: file, rightmost: rightmost) }
        upper.pages.append(try page.append(to: file, rightmost: rightmost))
        if group.upperBound < lower.pages.count {
          upper.dividers.append(lower.dividers[group.upperBound - 1])
        }
      }
      lower = upper
    }
  }

  /// The children of each page of the next level, two or more: as many as fit.
  private static func groups(of dividers: [[UInt8]]) -> [Range<Int>] {
    let room = PageFile.pageSize - PageBuilder.Kind.indexInterior.headerSize
    var groups: [Range<Int>] = []
    var start = 0
    var used = 0
    for (child, divider) in dividers.enumerated() {
      let size = 4 + divider.count + 2
      if used + size > room {
        groups.append(start..<child + 1)
        start = child + 1
        used = 0
      } else {
        used += size
      }
    }
    let count = dividers.count + 1
    if start == count - 1, let last = groups.popLast() {
      // A page with a single child would have no entry, so the page before gives up its last.
      groups.append(last.lowerBound..<last.upperBound - 1)
      start = last.upperBound - 1
    }
    groups.append(start..<count)
    return groups
  }
}
