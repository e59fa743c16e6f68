internal import Synchronization

/// What each page of a file belongs to: to one thing alone, and no page to nothing.
final class PageUse: Sendable {
  private let pages: UInt32
  private let isUsed: Mutex<[Bool]>

  /// Begins with a file of so many pages, of which none is used yet.
  init(pages: UInt32) {
    self.pages = pages
    var isUsed = [Bool](repeating: false, count: Int(pages) + 1)
    isUsed[0] = true
    if pages >= PageFile.lockPage { isUsed[Int(PageFile.lockPage)] = true }
    self.isUsed = Mutex(isUsed)
  }

  /// Takes note of pages that belong to something.
  ///
  /// - Throws: ``DamagedPage`` for one that the file has not, or that belongs to something else.
  func claim(_ claimed: [UInt32]) throws(DamagedPage) {
    try isUsed.withLock { isUsed throws(DamagedPage) in
      for page in claimed {
        guard page <= pages, !isUsed[Int(page)] else { throw DamagedPage(number: page) }
        isUsed[Int(page)] = true
      }
    }
  }

  /// Whether every page belongs to something.
  var isComplete: Bool { isUsed.withLock { !$0.contains(false) } }
}
