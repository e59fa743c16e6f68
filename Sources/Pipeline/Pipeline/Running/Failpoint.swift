#if DEBUG
  internal import Diagnostics
  internal import SystemPackage

  internal import Glibc

  /// Ends a debug build, or makes it fail, right before or after a write becomes durable.
  ///
  /// A test selects the moment with `PAIDLINE_FAILPOINT=kill:3:FILE`. Before and after each commit
  /// (``CommitBoundary``), the process writes a line with the name of the commit to FILE. At the
  /// third line, it is ended by SIGKILL, as by a power failure. With `fail` instead of `kill`, an
  /// I/O error is thrown. With `none`, nothing happens except that the lines are written.
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

    /// Adds the name of a commit to the file, and returns the number of lines in the file.
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
