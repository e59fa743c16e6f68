internal import CivilTime
internal import Diagnostics
package import Pipeline

/// The results of fetching so far, and the unfinished exports.
///
/// Answers and their meaning for later runs are flushed together: first the export's bytes, then
/// the journal's lines that rely on them. A killed process loses the responses of the last two
/// seconds, and requests them again.
package final class FetchStore {
  /// The most text that waits to be flushed, in bytes.
  private static let textBytesMax = 4 << 20
  /// The longest time that text waits to be flushed, in milliseconds.
  private static let waitMilliseconds: Int64 = 2000
  /// The size at which an export is finished, in bytes.
  private static let exportBytesMax: Int64 = 64 << 20

  private let journal: FetchJournal
  private var parts: [FetchKind: ExportPart] = [:]
  private var committedAt = SystemClock.steadyMilliseconds
  /// The exports that got their names.
  private(set) var published: [ExportPart.Account] = []

  /// The path of a pipeline's journal.
  ///
  /// It is in a folder of its own beside state.db. Fetching has its own lock there, so that the
  /// runs can continue during a fetch.
  package static func journalPath(_ definition: PipelineDefinition) -> String {
    FilePaths.join(
      FilePaths.join(FilePaths.folder(of: definition.statePath), "fetch"), "fetch.journal")
  }

  /// Opens the results of earlier runs.
  convenience init(_ definition: PipelineDefinition) throws(RunFailure) {
    try self.init(journal: Self.journalPath(definition))
  }

  /// Opens the results in a journal.
  init(journal path: String) throws(RunFailure) {
    journal = try FetchJournal(path)
    for (kind, account) in journal.parts {
      if ExportPart.isInPlace(account) {
        journal.noteDone(kind)
      } else {
        parts[kind] = try ExportPart(account)
      }
    }
  }

  /// The known state of a chain; `nil` if it is new.
  func known(_ chain: ChainNumber) -> KnownChain? { journal.chains[chain] }

  /// The time up to which the notifications of a store are fetched; `nil` if none are.
  func known(_ store: AppleStore) -> KnownNotifications? { journal.notifications[store] }

  /// The path of an unfinished export, all of whose bytes are safe; `nil` if there is none.
  func unfinished(_ kind: FetchKind) -> String? { parts[kind]?.draft }

  /// Adds a response to its export.
  ///
  /// - Parameters:
  ///   - line: The record, with its newline.
  ///   - kind: The kind of its export.
  ///   - output: The path at which a new export begins.
  /// - Throws: ``RunFailure`` if the export cannot be begun.
  func add(_ line: [UInt8], to kind: FetchKind, output: ExportPath) throws(RunFailure) {
    let part = try part(kind, output: output)
    part.append(line)
  }

  /// Notes the new state of a chain.
  func note(_ chain: ChainNumber, _ known: KnownChain) { journal.note(chain, known) }

  /// Notes the new span of a store's notifications.
  func note(_ store: AppleStore, _ known: KnownNotifications) { journal.note(store, known) }

  /// Makes all safe if it is time; full exports get their names.
  func commitInTime() throws(RunFailure) {
    let waiting = parts.values.reduce(0) { $0 + $1.unsafeBytes }
    let now = SystemClock.steadyMilliseconds
    guard waiting > Self.textBytesMax || now - committedAt > Self.waitMilliseconds else { return }
    try commit()
    for (kind, part) in parts where part.account.length > Self.exportBytesMax {
      try publish(kind, part)
    }
  }

  /// Makes all safe.
  func commit() throws(RunFailure) {
    for (kind, part) in parts where part.unsafeBytes > 0 {
      try part.commit()
      journal.note(kind, part.account)
    }
    try journal.commit()
    committedAt = SystemClock.steadyMilliseconds
  }

  /// Makes all safe and gives the exports their names.
  func publish() throws(RunFailure) {
    try commit()
    for (kind, part) in parts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try publish(kind, part)
    }
  }

  private func publish(_ kind: FetchKind, _ part: ExportPart) throws(RunFailure) {
    guard part.account.records > 0 else { return }
    try part.publish()
    parts[kind] = nil
    published.append(part.account)
    journal.noteDone(kind)
    try journal.commit()
  }

  private func part(_ kind: FetchKind, output: ExportPath) throws(RunFailure) -> ExportPart {
    if let part = parts[kind] { return part }
    let day = SystemClock.now.day
    var number = 1
    while PathStatus.exists(output.path(number: number, day: day)) { number += 1 }
    let part = try ExportPart(ExportPart.Account(path: output.path(number: number, day: day)))
    parts[kind] = part
    return part
  }
}
