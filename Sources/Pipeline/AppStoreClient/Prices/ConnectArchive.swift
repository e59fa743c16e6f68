internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import Pipeline
internal import SystemPackage

/// The raw responses of App Store Connect in one fetch, as an export.
///
/// The export receives its final name when it is complete. A stopped fetch can continue within a
/// day: then the responses in the unfinished export are not requested again.
///
/// ```json
/// {"received_at":"2026-11-23T01:00:02Z","question":"/v1/territories?…","response":{"data":[…]}}
/// ```
final class ConnectArchive {
  /// The largest age of the responses of an unfinished fetch that are used again: one day.
  private static let longestPause = Milliseconds.days(1)

  private let store: FetchStore
  private let output: ExportPath
  private var known: [String: ConnectPage] = [:]
  /// The number of responses that an unfinished fetch had stored and that are used again.
  private(set) var resumed = 0

  /// The path of the archive's journal; the archive's lock is next to this file.
  static func journalPath(_ definition: PipelineDefinition) -> String {
    FilePaths.join(FilePaths.folder(of: FetchStore.journalPath(definition)), "prices.journal")
  }

  /// Opens the archive, and reads the responses of a fetch that was not finished, if any.
  init(_ definition: PipelineDefinition, output: ExportPath) throws(RunFailure) {
    self.output = output
    store = try FetchStore(journal: Self.journalPath(definition))
    guard let unfinished = store.unfinished(.prices) else { return }
    known = try Self.answers(unfinished) ?? [:]
    resumed = known.count
    if known.isEmpty { try store.publish() }
  }

  /// Returns the response to a request, if the unfinished export contains the response; else `nil`.
  func answer(to question: String) -> ConnectPage? { known[question] }

  func keep(_ text: [UInt8], to question: String) throws(RunFailure) {
    let head = JSONText.object([
      .init("received_at", .text(SystemClock.now.text)), .init("question", .text(question)),
    ])
    let line = head.line.utf8.dropLast() + Array(", \"response\": ".utf8) + text + Array("}\n".utf8)
    try store.add(Array(line), to: .prices, output: output)
    try store.commitInTime()
  }

  /// Syncs the responses to the disk, so that the next run can continue.
  func commit() throws(RunFailure) { try store.commit() }

  /// Renames the export to its final name.
  func publish() throws(RunFailure) -> [String] {
    try store.publish()
    return store.published.map(\.path)
  }

  private struct Line: Decodable {
    var received_at: String
    var question: String
    var response: ConnectPage
  }

  /// Reads the responses in an unfinished export, keyed by request.
  ///
  /// `nil` if any response is unreadable or too old; then all responses are requested again.
  private static func answers(_ path: String) throws(RunFailure) -> [String: ConnectPage]? {
    let oldest = SystemClock.now.advanced(by: Milliseconds(-longestPause.rawValue))
    var answers: [String: ConnectPage] = [:]
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.noFollow, .closeOnExec])
      defer { try? file.close() }
      var lines = try ExportLines(descriptor: file.rawValue, name: path)
      while let text = try lines.next() {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(text)),
          let at = Instant(text: line.received_at), at > oldest
        else { return nil }
        answers[line.question] = line.response
      }
    } catch let error as Errno {
      throw .system(error, "reading \(path)")
    } catch {
      throw RunFailure(
        .inputOutput,
        "\(OneLine.text(path)): \(error); remove the folder that holds prices.journal to fetch "
          + "everything again")
    }
    return answers
  }
}
