internal import StateStore
internal import Diagnostics
internal import ExportReading
internal import Glibc
internal import PurchaseModel

/// Does one thing a given number of times on one thread, for callgrind to count its instructions.
///
/// `InstructionCount walk TIMES EXPORT` reads an export; `InstructionCount encode TIMES EXPORT
/// STATE` reads it once and encodes its rows, beside a state.db that is never written.
@main
enum InstructionCount {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let times = Int(arguments[2]) else {
      throw RunFailure(.usage, "InstructionCount walk|encode TIMES EXPORT [STATE]")
    }
    let bytes = try contents(of: arguments[3])
    if arguments[1] == "walk" {
      for _ in 0..<times { try walk(bytes) }
    } else if arguments.count == 5 {
      try encode(bytes, times: times, statePath: arguments[4])
    }
  }

  @discardableResult
  private static func walk(_ bytes: [UInt8]) throws -> ExportContent {
    try readExport(bytes: bytes, name: "export.ndjson", kind: .receipts)
  }

  private static func encode(_ bytes: [UInt8], times: Int, statePath: String) throws {
    let content = try walk(bytes)
    let state = try StateDatabase.open(path: statePath, create: true)
    let batch = try state.beginIngest()
    for number in 0..<times {
      _ = try batch.add(
        IncomingFile(
          sha256: "\(number)", kind: .receipts, name: "export", exportDate: nil,
          bytes: content.bytes, tally: content.tally, rejects: [], content: content.set))
    }
    try state.close()
  }

  private static func contents(of path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RunFailure(.inputMissing, "\(path) cannot be opened") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
