internal import Foundation

/// Counts and writes down the questions.
actor QuestionLog {
  private let file: FileHandle
  private var attempts: [String: Int] = [:]

  init(path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Writes a question down, and tells how often it was asked, from 1.
  func note(_ question: String) -> Int {
    file.write(Data((question + "\n").utf8))
    attempts[question, default: 0] += 1
    return attempts[question] ?? 0
  }
}
