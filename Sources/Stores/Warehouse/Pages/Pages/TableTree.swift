internal import Diagnostics

/// The b-tree of a table, built from rows whose numbers rise.
@safe
struct TableTree: ~Copyable {
  /// A finished page and the largest row number in it.
  private struct Child {
    var page: UInt32
    var lastRow: Int64
  }

  private let file: PageFile
  private let root: UInt32
  private var cells: CellEncoder
  private var leaf = PageBuilder(.tableLeaf)
  private var leaves: [Child] = []
  private var lastRow = Int64.min

  /// Begins to build below a root page that SQLite has made.
  init(file: PageFile, root: UInt32) {
    self.file = file
    self.root = root
    cells = CellEncoder(file: file, isIndex: false)
  }

  /// Adds a row.
  @inline(__always)
  mutating func add(_ row: Int64, _ record: UnsafeRawBufferPointer) throws(RunFailure) {
    precondition(row > lastRow, "rows must rise")
    var rest = unsafe record
    if unsafe !cells.encodeStart(of: record, row: row) {
      unsafe try cells.encode(record, row: row)
      unsafe rest = UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if unsafe !leaf.hasRoom(for: cells.written.count + rest.count) { try flush() }
    unsafe leaf.add(cells.written, rest)
    lastRow = row
  }

  private mutating func flush() throws(RunFailure) {
    let page = try leaf.append(to: file)
    leaves.append(Child(page: page, lastRow: lastRow))
  }

  /// Writes the pages above the leaves.
  consuming func finish() throws(RunFailure) {
    guard !leaves.isEmpty else { return try leaf.replace(root, in: file) }
    try flush()
    var level = leaves
    // A cell takes 4 bytes for the child, 9 at most for the row number and 2 for its place.
    let most = (PageFile.pageSize - 12) / 15 + 1
    while true {
      let pages = (level.count + most - 1) / most
      var next: [Child] = []
      for part in 0..<pages {
        let children = level[level.count * part / pages..<level.count * (part + 1) / pages]
        var page = PageBuilder(.tableInterior)
        var cell = ByteSink(capacity: 16)
        for child in children.dropLast() {
          cell.truncate(to: 0)
          cell.appendBigEndian(UInt64(child.page), bytes: 4)
          cell.appendVarint(UInt64(bitPattern: child.lastRow))
          unsafe page.add(cell.written, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        guard let last = children.last else { continue }
        if pages == 1 { return try page.replace(root, in: file, rightmost: last.page) }
        let number = try page.append(to: file, rightmost: last.page)
        next.append(Child(page: number, lastRow: last.lastRow))
      }
      level = next
    }
  }
}

extension PageBuilder {
  /// Appends the finished page to a file, and empties it.
  mutating func append(to file: PageFile, rightmost: UInt32 = 0) throws(RunFailure) -> UInt32 {
    finish(rightmost: rightmost)
    let number = unsafe try file.append(bytes)
    clear()
    return number
  }

  /// Puts the finished page in the place of one of a file's.
  mutating func replace(_ number: UInt32, in file: PageFile, rightmost: UInt32 = 0)
    throws(RunFailure)
  {
    finish(rightmost: rightmost)
    unsafe try file.replace(number, with: bytes)
  }
}
