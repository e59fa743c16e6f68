#if DEBUG
  internal import Diagnostics
  internal import SystemPackage

  internal import Glibc

  /// Makes a debug build end or fail at a database commit that a test selects (a boundary).
  ///
  /// `PAIDLINE_FAILPOINT=kill:3:FILE` ends the process by SIGKILL at the third boundary of the
  /// command, like a power failure. `fail` throws an I/O error; `none` does nothing. The name of
  /// each boundary that is passed is written to FILE, one per line.
  package enum Failpoint {
    /// Reads `PAIDLINE_FAILPOINT` at the start of the program.
    ///
    /// A release build does not contain this code.
    package static func arm() {
      guard let variable = Terminal.variable("PAIDLINE_FAILPOINT") else { return }
      let words = variable.split(separator: ":", maxSplits: 2).map(String.init)
      guard words.count == 3, ["kill", "fail", "none"].contains(words[0]),
        let number = Int(words[1])
      else {
        StandardError.write(
          "PAIDLINE_FAILPOINT=\(variable): expected kill|fail|none:NUMBER:FILE\n")
        exit(ExitStatus.usage.rawValue)
      }
      let (action, trace) = (words[0], words[2])
      CommitBoundary.observe { name throws(RunFailure) in
        guard try note(name, in: trace) == number else { return }
        switch action {
        case "kill": kill(getpid(), SIGKILL)
        case "fail":
          throw RunFailure(.inputOutput, "\(name): this fault was requested for a test. Run again.")
        default: break
        }
      }
    }

    /// Adds the name of a boundary to the file, and returns the number of lines in the file.
    private static func note(_ name: String, in path: String) throws(RunFailure) -> Int {
      do {
        let file = try FileDescriptor.open(
          FilePath(path), .readWrite, options: [.append, .create],
          permissions: [.ownerReadWrite])
        return try file.closeAfter {
          _ = try file.writeAll("\(name)\n".utf8)
          var buffer = [UInt8](repeating: 0, count: 1 << 16)
          let count = try unsafe buffer.withUnsafeMutableBytes {
            try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
          }
          return buffer[..<count].count { $0 == UInt8(ascii: "\n") }
        }
      } catch {
        throw .system(error as? Errno ?? .ioError, "writing \(path)", isOutput: true)
      }
    }
  }
#endif
