/// What `PRAGMA quick_check` asks of the pages of a file, asked by ourselves.
///
/// Each page belongs to one thing, is of the right kind, and every byte of its content is a cell, a
/// free block or counted as a fragment; row numbers rise; overflow chains are as long as their
/// payloads (SQLite's file format, sections 1.5 and 1.6). What is not plainly so throws
/// ``DamagedPage``, and SQLite has the last word.
struct PageExamination: Sendable {
  /// The file.
  let pages: StoredPages
  /// What its pages belong to.
  let use: PageUse

  /// Begins to examine a file.
  init(_ pages: StoredPages) throws {
    self.pages = pages
    use = PageUse(pages: try pages.plainCount())
  }

  /// Examines a page of a tree.
  ///
  /// - Parameters:
  ///   - page: Its bytes.
  ///   - number: Its number.
  ///   - kind: What it has to be.
  ///   - rows: For a page of a table, the number that all of its rows come after, and the largest
  ///     that they may have.
  /// - Throws: ``DamagedPage`` where it is not plainly sound; what reading overflow pages throws.
  func examine(
    _ page: UnsafeRawBufferPointer, number: UInt32, kind: PageBuilder.Kind,
    rows: (after: Int64?, upTo: Int64) = (nil, .max)
  ) throws {
    let damage = DamagedPage(number: number)
    let header = PageBuilder.headerStart(onPage: number)
    guard unsafe page[header] == kind.rawValue else { throw damage }
    let cells = Int(unsafe StoredTable.word(page, header + 3))
    let content = Int(unsafe StoredTable.word(page, header + 5))
    let pointers = header + kind.headerSize
    guard pointers + 2 * cells <= content, content <= PageFile.pageSize else { throw damage }
    // Cells that were written one after another lie one before another, without a gap.
    var isDense = true
    var end = PageFile.pageSize
    var lastRow = rows.after
    for cell in 0..<cells {
      let start = Int(unsafe StoredTable.word(page, pointers + 2 * cell))
      guard start >= content, let cell = unsafe CellSpan(page, at: start, kind) else {
        throw damage
      }
      isDense = isDense && cell.bytes.upperBound == end
      end = start
      if cell.spilled > 0 { unsafe try examineChain(page, after: cell, damage) }
      guard kind.isTable else { continue }
      if let lastRow, cell.row <= lastRow { throw damage }
      lastRow = cell.row
    }
    if kind.isTable, cells > 0, let lastRow {
      // Above the leaves the rows of the last child come after the last cell.
      guard kind.isLeaf ? lastRow <= rows.upTo : lastRow < rows.upTo else { throw damage }
    }
    let isPlain = unsafe isDense && end == content && page[header + 7] == 0
    guard unsafe isPlain && StoredTable.word(page, header + 1) == 0 else {
      return unsafe try examineSpans(page, header: header, kind: kind, damage)
    }
  }

  /// Follows the overflow pages of a cell's payload.
  private func examineChain(
    _ page: UnsafeRawBufferPointer, after cell: CellSpan, _ damage: DamagedPage
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageFile.pageSize, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var next = unsafe StoredTable.long(page, cell.bytes.upperBound - 4)
    var rest = cell.spilled
    while rest > 0 {
      try use.claim([next])
      unsafe try pages.read(next, into: buffer)
      next = unsafe StoredTable.long(UnsafeRawBufferPointer(buffer), 0)
      rest -= PageFile.pageSize - 4
    }
    guard next == 0 else { throw damage }
  }

  /// Examines a page whose cells lie anywhere, with free blocks and fragments between them.
  private func examineSpans(
    _ page: UnsafeRawBufferPointer, header: Int, kind: PageBuilder.Kind, _ damage: DamagedPage
  ) throws {
    let content = Int(unsafe StoredTable.word(page, header + 5))
    var spans: [Range<Int>] = []
    for cell in 0..<Int(unsafe StoredTable.word(page, header + 3)) {
      let start = Int(unsafe StoredTable.word(page, header + kind.headerSize + 2 * cell))
      guard let cell = unsafe CellSpan(page, at: start, kind) else { throw damage }
      spans.append(cell.bytes)
    }
    var block = Int(unsafe StoredTable.word(page, header + 1))
    while block != 0 {
      guard block >= content, block <= PageFile.pageSize - 4 else { throw damage }
      let next = Int(unsafe StoredTable.word(page, block))
      let end = block + Int(unsafe StoredTable.word(page, block + 2))
      guard end <= PageFile.pageSize, end > block, next == 0 || next > end + 3 else { throw damage }
      spans.append(block..<end)
      block = next
    }
    spans.sort { $0.lowerBound < $1.lowerBound }
    var end = content
    var fragments = 0
    for span in spans {
      guard span.lowerBound >= end else { throw damage }
      fragments += span.lowerBound - end
      end = span.upperBound
    }
    fragments += PageFile.pageSize - end
    guard unsafe fragments == Int(page[header + 7]) else { throw damage }
  }
}
