package import Diagnostics
internal import ExportReading
internal import SystemPackage

/// A list from the owner's hand, gzip or plain: an entry a line, after a byte order mark or none.
package enum ListFile {
  /// The byte order mark that programs of Windows write.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - what: Names the list in messages, such as "the list of offers".
  ///   - each: Takes the number of a line, from 1, and its bytes without the end of the line.
  /// - Throws: ``RunFailure`` with status 66 where there is no such file, 65 for broken gzip, or
  ///   from `each`.
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
