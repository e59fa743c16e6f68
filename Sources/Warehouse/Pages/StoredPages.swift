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
    ConnectedFiles.close(descriptor)
  }

  /// How many pages there are, where the file's header says nothing that asks for SQLite.
  ///
  /// - Throws: ``DamagedPage`` for pages of another size, free pages, a file that is longer or
  ///   shorter than its header says, and one that keeps track of where its pages belong.
  func plainCount() throws -> UInt32 {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: PageFile.pageSize, alignment: 8)
    defer { unsafe page.deallocate() }
    unsafe try read(1, into: page)
    let header = UnsafeRawBufferPointer(page)
    let count = unsafe StoredTable.long(header, 28)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0,
      Int(status.st_size) == Int(count) * PageFile.pageSize,
      unsafe Int(StoredTable.word(header, 16)) == PageFile.pageSize, unsafe header[20] == 0,
      unsafe StoredTable.long(header, 32) == 0, unsafe StoredTable.long(header, 36) == 0,
      unsafe StoredTable.long(header, 52) == 0
    else { throw DamagedPage(number: 1) }
    return count
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
