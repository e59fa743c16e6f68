package import Diagnostics
internal import ExportReading
internal import SystemPackage

/// A list that the owner wrote, with one entry per line, gzip or plain.
///
/// It may begin with a byte order mark.
package enum ListFile {
  /// The UTF-8 byte order mark; Windows programs write it at the start of a file.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a list line by line.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - what: The name of the list for messages, such as "the list of offers".
  ///   - each: Receives the number of a line (1-based) and its bytes without the line end.
  /// - Throws: ``RunFailure`` with status 66 for a missing file and 65 for broken gzip, and the
  ///   error of `each`.
  package static func read(
    _ path: String, what: String, each: (Int, [UInt8]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let descriptor: FileDescriptor
    do {
      descriptor =
        path == "-"
        ? .standardInput
        : try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
    } catch {
      throw .system(error as? Errno ?? .ioError, "opening \(what) \(OneLine.text(path))")
    }
    defer { if path != "-" { try? descriptor.close() } }
    do {
      var lines = try ExportLines(descriptor: descriptor.rawValue, name: path) {
        StopSignal.received != nil
      }
      var number = 0
      while var line = try lines.next() {
        number += 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if number == 1, line.starts(with: mark) { line.removeFirst(mark.count) }
        try each(number, line)
      }
    } catch let failure as RunFailure {
      throw failure
    } catch ExportError.refused(let refusal, _, _) {
      throw RunFailure(.dataRefused, "\(OneLine.text(path)): \(refusal.description)")
    } catch ExportError.unreadable(Errno.isDirectory.rawValue) {
      throw RunFailure(
        .dataRefused, "\(OneLine.text(path)): expected \(what), found a folder; name the file")
    } catch ExportError.unreadable(let number) {
      throw .system(Errno(rawValue: number), "reading \(what) \(OneLine.text(path))")
    } catch {
      try StopSignal.check()
      throw RunFailure(.inputOutput, "reading \(what) \(OneLine.text(path)): \(error)")
    }
  }
}
