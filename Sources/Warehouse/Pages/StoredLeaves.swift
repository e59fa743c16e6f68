/// The leaves of a tree one after another, of which those that lie side by side are read at once.
@safe
final class StoredLeaves {
  private let pages: StoredPages
  private let pagesPerRead: Int
  private let leaves: ArraySlice<UInt32>
  private let buffer: UnsafeMutableRawBufferPointer
  private var next: Int  // the one to be taken from the buffer
  private var bufferStart: Int  // the leaf that it begins with
  private var bufferEnd: Int

  /// Begins before the first.
  init(_ pages: StoredPages, leaves: ArraySlice<UInt32>, pagesPerRead: Int) {
    self.pages = pages
    self.pagesPerRead = pagesPerRead
    self.leaves = leaves
    next = leaves.startIndex
    bufferStart = next
    bufferEnd = next
    unsafe buffer = .allocate(byteCount: pagesPerRead * PageFile.pageSize, alignment: 8)
  }

  deinit {
    unsafe buffer.deallocate()
  }

  /// The place among all leaves, the number and the bytes of the next one, which stay until the one
  /// after it is asked for; `nil` after the last.
  func take() throws -> (place: Int, number: UInt32, page: UnsafeRawBufferPointer)? {
    guard next < leaves.endIndex else { return nil }
    if next == bufferEnd { try fill() }
    let start = (next - bufferStart) * PageFile.pageSize
    next += 1
    return unsafe (
      next - 1, leaves[next - 1],
      UnsafeRawBufferPointer(rebasing: buffer[start..<start + PageFile.pageSize])
    )
  }

  private func fill() throws {
    bufferStart = next
    bufferEnd = next + 1
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
}
