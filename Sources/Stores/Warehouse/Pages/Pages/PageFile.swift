internal import SQLiteFiles
internal import Diagnostics
internal import Glibc

/// A database file that SQLite created with an empty schema, and that gets pages appended.
///
/// Only for a file that no other connection has open. SQLite's file format, section 1.
@safe
final class PageFile {
  /// Bytes a page.
  static let pageSize = 4096
  /// The longest payload that a table's leaf keeps whole.
  static let largestInTable = pageSize - 35
  /// The longest payload that a page of an index keeps whole.
  static let largestInIndex = (pageSize - 12) * 64 / 255 - 23
  /// The page at the gibibyte that SQLite keeps free for its locks.
  static let lockPage: UInt32 = 0x4000_0000 / 4096 + 1
  private static let pagesPerWrite = 256

  /// The number of bytes of a payload that a cell keeps; payloads up to `largest` are kept whole.
  @inline(__always)
  static func kept(of payload: Int, largest: Int) -> Int {
    guard payload > largest else { return payload }
    let smallest = (pageSize - 12) * 32 / 255 - 23
    let spilled = smallest + (payload - smallest) % (pageSize - 4)
    return spilled <= largest ? spilled : smallest
  }

  private let path: String
  private let descriptor: Int32
  private let early: EarlySync
  private var pageCount: UInt32
  private var waiting = ByteSink(capacity: PageFile.pagesPerWrite * PageFile.pageSize)
  private var firstWaiting: UInt32

  /// Opens a file whose header SQLite has written.
  init(path: String) throws(RunFailure) {
    self.path = path
    let descriptor = DatabaseFile.openDescriptor(path, O_RDWR)
    self.descriptor = descriptor
    early = EarlySync { fdatasync(descriptor) == 0 ? 0 : errno }
    guard descriptor >= 0 else {
      throw FilePublication.failure(errno, path: path, doing: "opened")
    }
    pageCount = 0
    firstWaiting = 0
    pageCount = try word(at: 28)
    firstWaiting = pageCount + 1
  }

  deinit {
    _ = early.failure  // nobody needs the descriptor after that
    DatabaseFile.closeDescriptor(descriptor)
  }

  /// The number that the next appended page gets.
  var nextPage: UInt32 { Self.page(after: pageCount) }

  /// The number of the page after that.
  var pageAfterNext: UInt32 { Self.page(after: nextPage) }

  private static func page(after number: UInt32) -> UInt32 {
    number + 1 == lockPage ? number + 2 : number + 1
  }

  /// Appends a page and tells its number.
  func append(_ page: UnsafeRawBufferPointer) throws(RunFailure) -> UInt32 {
    precondition(page.count == Self.pageSize, "a page has \(Self.pageSize) bytes")
    if nextPage != pageCount + 1 {
      waiting.appendZeros(Self.pageSize)
      pageCount += 1
    }
    unsafe waiting.append(page)
    pageCount += 1
    if waiting.count >= Self.pagesPerWrite * Self.pageSize { try flush() }
    return pageCount
  }

  /// Replaces a page that SQLite made, such as the empty root of a table.
  func replace(_ number: UInt32, with page: UnsafeRawBufferPointer) throws(RunFailure) {
    precondition(number > 1 && number < firstWaiting, "page \(number) is not SQLite's")
    unsafe try write(page, at: Int(number - 1) * Self.pageSize)
  }

  /// Writes the waiting pages, and the number of pages, in the way that SQLite accepts.
  ///
  /// - Throws: ``RunFailure`` if the disk refuses that, or has refused earlier pages.
  func finish() throws(RunFailure) {
    try flush()
    let failure = early.failure
    guard failure == 0 else { throw FilePublication.failure(failure, path: path, doing: "synced") }
    var header = ByteSink(capacity: 8)
    let changes = try word(at: 24) &+ 1
    header.appendBigEndian(UInt64(changes), bytes: 4)
    header.appendBigEndian(UInt64(pageCount), bytes: 4)
    unsafe try write(header.written, at: 24)
    header.truncate(to: 4)
    unsafe try write(header.written, at: 92)
  }

  private func flush() throws(RunFailure) {
    guard waiting.count > 0 else { return }
    unsafe try write(waiting.written, at: Int(firstWaiting - 1) * Self.pageSize)
    early.wrote(waiting.count)
    firstWaiting = pageCount + 1
    waiting.truncate(to: 0)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(RunFailure) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FilePublication.failure(errno, path: path, doing: "written") }
      done += count
    }
  }

  /// A number of the file's header.
  private func word(at offset: Int) throws(RunFailure) -> UInt32 {
    var bytes: UInt32 = 0
    let count = unsafe withUnsafeMutableBytes(of: &bytes) {
      unsafe pread(descriptor, $0.baseAddress, 4, off_t(offset))
    }
    guard count == 4 else { throw FilePublication.failure(errno, path: path, doing: "read") }
    return UInt32(bigEndian: bytes)
  }
}
