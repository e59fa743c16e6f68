/// One page of a b-tree, filled cell by cell: SQLite's file format, section 1.6.
@safe
struct PageBuilder: ~Copyable {
  /// The kinds of page, by the byte that marks them.
  enum Kind: UInt8 {
    case indexInterior = 0x02
    case tableInterior = 0x05
    case indexLeaf = 0x0A
    case tableLeaf = 0x0D

    /// Whether it is at the lowest level of a tree.
    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }

    /// Bytes before the cell pointers.
    var headerSize: Int { isLeaf ? 8 : 12 }
  }

  private let kind: Kind
  private let page: UnsafeMutableRawBufferPointer
  private var start = PageFile.pageSize
  /// The number of cells of the page.
  private(set) var cells = 0

  /// An empty page.
  init(_ kind: Kind) {
    self.kind = kind
    unsafe page = .allocate(byteCount: PageFile.pageSize, alignment: 16)
    unsafe page.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe page.deallocate()
  }

  /// Whether a cell of a size still fits.
  @inline(__always)
  func hasRoom(for size: Int) -> Bool {
    start - kind.headerSize - 2 * (cells + 1) >= size
  }

  /// Adds a cell in two parts, of which the first may be empty.
  @inline(__always)
  mutating func add(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) {
    let size = first.count + second.count
    precondition(hasRoom(for: size), "a cell does not fit")
    start -= size
    unsafe copy(first, to: start)
    unsafe copy(second, to: start + first.count)
    put16(start, at: kind.headerSize + 2 * cells)
    cells += 1
  }

  private func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
    guard let from = bytes.baseAddress, let base = unsafe page.baseAddress else { return }
    unsafe (base + offset).copyMemory(from: from, byteCount: bytes.count)
  }

  /// The bytes of a cell, up to the one before it.
  func cell(_ index: Int) -> [UInt8] {
    let end = index == 0 ? PageFile.pageSize : offset(of: index - 1)
    return unsafe Array(page[offset(of: index)..<end])
  }

  private func offset(of cell: Int) -> Int {
    let place = kind.headerSize + 2 * cell
    return unsafe Int(page[place]) << 8 | Int(page[place + 1])
  }

  /// Takes the last cell away again.
  mutating func removeLast() -> [UInt8] {
    let bytes = cell(cells - 1)
    start += bytes.count
    cells -= 1
    return bytes
  }

  /// Writes the header; `rightmost` is the last child of an interior page.
  mutating func finish(rightmost: UInt32 = 0) {
    unsafe page[0] = kind.rawValue
    put16(cells, at: 3)
    put16(start, at: 5)
    guard kind.headerSize == 12 else { return }
    put16(Int(rightmost >> 16), at: 8)
    put16(Int(rightmost & 0xFFFF), at: 10)
  }

  /// The bytes of the finished page.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(page) }

  /// Empties the page.
  mutating func clear() {
    unsafe page.initializeMemory(as: UInt8.self, repeating: 0)
    start = PageFile.pageSize
    cells = 0
  }

  private func put16(_ value: Int, at offset: Int) {
    unsafe page[offset] = UInt8(value >> 8)
    unsafe page[offset + 1] = UInt8(value & 0xFF)
  }
}
