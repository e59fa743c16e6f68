internal import CivilTime
internal import Diagnostics
internal import Foundation
internal import Logging
internal import Pipeline
internal import StateStore

/// The raw responses of App Store Connect in one fetch, as an export.
///
/// The export is written when the fetch is complete. A stopped fetch can continue within a day:
/// then the responses that it has stored are not requested again.
///
/// ```json
/// {"received_at":"2026-11-23T01:00:02Z","question":"/v1/territories?…","response":{"data":[…]}}
/// ```
final class ConnectArchive {
  /// The largest age of the responses of an unfinished fetch that are used again: one day.
  private static let longestPause = Milliseconds.days(1)

  private let store: AskedDatabase
  private let exports: AnswerExports
  /// The number of responses that an unfinished fetch had stored and that are used again.
  let resumed: Int

  /// Opens the archive; the responses of an unfinished fetch are used unless they are too old.
  init(_ path: String, output: ExportPath, log: Logger) throws(RunFailure) {
    store = try AskedDatabase.open(path: path)
    exports = try AnswerExports(store, .prices, output: output, log: log)
    let oldest = SystemClock.now.advanced(by: Milliseconds(-Self.longestPause.rawValue))
    let waiting = try store.waiting(.prices)
    if let first = waiting.oldest, first <= oldest {
      try exports.write()
      resumed = 0
    } else {
      resumed = waiting.answers
    }
  }

  /// Returns the stored response to a request; `nil` if there is none.
  func answer(to question: String) throws(RunFailure) -> ConnectPage? {
    guard let line = try store.answer(to: AskedKey(.prices, question.utf8)) else { return nil }
    return (try? JSONDecoder().decode(Line.self, from: Data(line)))?.response
  }

  func keep(_ text: [UInt8], to question: String) throws(RunFailure) {
    let now = SystemClock.now
    let context = "\"question\":\(JSONText.text(question).line)"
    try exports.add(
      ExportRecord.line(text, receivedAt: now, context: Array(context.utf8)),
      to: AskedKey(.prices, question.utf8), at: now)
  }

  /// Writes the export, and returns the paths of the exports that this fetch has written.
  func publish() throws(RunFailure) -> [String] {
    try exports.write()
    try store.close()
    return exports.written.map(\.path)
  }

  private struct Line: Decodable { var response: ConnectPage }
}
