internal import Diagnostics
internal import GRDB
internal import Glibc

/// The check that a database file and its write-ahead log belong together.
///
/// SQLite does not check this. If an older copy of the file is restored while the log of the newer
/// file is left, SQLite applies the log to the copy, and rows are lost without an error. So each
/// transaction writes its number to the second page of the file, which therefore is in every log.
/// The number in the file itself must be at most one less than the first number in the log, and not
/// greater than the last.
enum LogAgreement {
  /// Increments the number of the file's transactions.
  static func countTransaction(on db: Database) throws {
    try db.execute(
      sql: "UPDATE transaction_number SET number = printf('%032d', CAST(number AS INTEGER) + 1)")
  }

  /// Throws if the log next to a file belongs to another version of the file.
  ///
  /// A run that empties the log meanwhile changes file and log at different moments. So a
  /// disagreement counts only if it stays the same.
  static func check(_ path: String, format: DatabaseFormat) throws(RunFailure) {
    var last: Numbers?
    for _ in 0..<3 {
      guard let numbers = Numbers(of: path, pageSize: format.pageSize), !numbers.agree else {
        return
      }
      if numbers == last { throw failure(path, numbers) }
      last = numbers
      usleep(50_000)
    }
  }

  private static func failure(_ path: String, _ numbers: Numbers) -> RunFailure {
    RunFailure(
      .inputOutput,
      "\(OneLine.text(path)): this file and its log \(OneLine.text(path))-wal do not belong together: "
        + "the file ends with transaction \(numbers.file), and the log begins with "
        + "\(numbers.first). Probably a copy was restored while the log was left. Remove the -wal "
        + "and -shm files, put the copy in place again, and run. Nothing was changed.")
  }

  /// The numbers of transactions in a file and in its log.
  struct Numbers: Hashable {
    var file: Int64
    var first: Int64
    var last: Int64

    var agree: Bool { first - 1 <= file && file <= last }

    /// Reads the numbers; `nil` without a log that holds a number.
    init?(of path: String, pageSize: Int) {
      let log = DatabaseFile.openDescriptor(path + "-wal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard log >= 0 else { return nil }
      defer { DatabaseFile.closeDescriptor(log) }
      guard let header = LogAgreement.bytes(log, at: 0, count: 32) else { return nil }
      let salts = header[16..<24]
      var found: (first: Int64, last: Int64)?
      var offset: Int64 = 32
      // The frames of an earlier log, which stand after those of the current one, have other salts.
      while let frame = LogAgreement.bytes(log, at: offset, count: 24), frame[8..<16] == salts {
        if frame[0..<4].elementsEqual([0, 0, 0, 2]),
          let number = LogAgreement.number(log, at: offset + 24, pageSize: pageSize)
        {
          found = (found?.first ?? number, number)
        }
        offset += 24 + Int64(pageSize)
      }
      guard let found else { return nil }
      let descriptor = DatabaseFile.openDescriptor(path, O_RDONLY | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { DatabaseFile.closeDescriptor(descriptor) }
      // A file without the number was never whole without its log.
      file = LogAgreement.number(descriptor, at: Int64(pageSize), pageSize: pageSize) ?? -1
      (first, last) = found
    }
  }

  /// Reads the number at the end of a page: the only row of its table is there.
  private static func number(_ descriptor: Int32, at offset: Int64, pageSize: Int) -> Int64? {
    bytes(descriptor, at: offset + Int64(pageSize) - 32, count: 32)
      .flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
  }

  private static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var read: Int
    repeat {
      read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.pread(descriptor, buffer.baseAddress, count, off_t(offset))
      }
    } while read < 0 && errno == EINTR
    return read == count ? bytes : nil
  }
}
