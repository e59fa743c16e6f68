package import Diagnostics
internal import SystemPackage

/// Writes to standard output and reports write errors.
///
/// `print` ignores write errors. If the disk is full, a command that uses `print` would write an
/// incomplete result and end with status 0.
package struct CheckedOutput: Sendable {
  private let descriptor: FileDescriptor

  /// The standard output of the process.
  package static let standard = CheckedOutput(.standardOutput)

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Writes a text and a newline.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the text could not be written completely. Its
  ///   message is empty if the reader has closed the pipe.
  package func writeLine(_ text: String) throws(RunFailure) { try write(text + "\n") }

  /// Writes a text.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the text could not be written completely. Its
  ///   message is empty if the reader has closed the pipe.
  package func write(_ text: String) throws(RunFailure) { try write(Array(text.utf8)) }

  /// Writes bytes; fails like ``write(_:)-(String)``.
  func write(_ bytes: [UInt8]) throws(RunFailure) {
    do {
      _ = try descriptor.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw RunFailure(.inputOutput, "")
    } catch let error as Errno {
      throw .system(error, "writing to standard output", isOutput: true)
    } catch {
      throw RunFailure(.inputOutput, "writing to standard output: \(error)")
    }
  }
}

/// Writes to standard error, for all output except results; write errors are ignored.
package enum StandardError {
  /// Writes a text with a single system call, so that texts of two processes do not mix.
  package static func write(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
