internal import Foundation

/// Counts the requests and writes them to a log.
actor QuestionLog {
  private let file: FileHandle
  private var attempts: [String: Int] = [:]

  init(path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Writes a request to the log; returns how often it was sent so far, from 1.
  func note(_ question: String) -> Int {
    file.write(Data((question + "\n").utf8))
    attempts[question, default: 0] += 1
    return attempts[question] ?? 0
  }
}
