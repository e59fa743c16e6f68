internal import CivilTime
internal import Diagnostics
package import Pipeline

/// The results of earlier fetches, and the unfinished exports.
///
/// Each commit syncs the bytes of the exports first, then the lines of the journal about these
/// exports. If the process is killed, the responses of the last two seconds are lost; the next run
/// requests them again.
package final class FetchStore {
  /// The largest size of unsynced text, in bytes; above this size, the text is synced to the disk.
  private static let textBytesMax = 4 << 20
  /// The longest time in milliseconds for which added text stays unsynced.
  private static let waitMilliseconds: Int64 = 2000
  /// The compressed size above which an export is finished, in bytes.
  private static let exportBytesMax: Int64 = 64 << 20

  private let journal: FetchJournal
  private var parts: [FetchKind: ExportPart] = [:]
  private var committedAt = SystemClock.steadyMilliseconds
  /// The exports that have been renamed to their final names.
  private(set) var published: [ExportPart.Account] = []

  /// The path of a pipeline's journal.
  ///
  /// The journal is in a separate folder next to state.db. This folder has its own lock, so that
  /// other commands can run during a fetch.
  package static func journalPath(_ definition: PipelineDefinition) -> String {
    FilePaths.join(
      FilePaths.join(FilePaths.folder(of: definition.statePath), "fetch"), "fetch.journal")
  }

  /// Opens the results of earlier runs.
  convenience init(_ definition: PipelineDefinition) throws(RunFailure) {
    try self.init(journal: Self.journalPath(definition))
  }

  /// Opens the results that a journal records.
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

  /// The state of a chain after earlier requests; `nil` if the journal does not have the chain.
  func known(_ chain: ChainNumber) -> KnownChain? { journal.chains[chain] }

  /// The time span for which an environment's notifications were last requested; `nil` if they were
  /// never requested.
  func known(_ store: AppleEnvironment) -> KnownNotifications? { journal.notifications[store] }

  /// The path of the unfinished export of a kind; `nil` if there is none.
  ///
  /// The newest records may still be in memory only, and not in the file.
  func unfinished(_ kind: FetchKind) -> String? { parts[kind]?.draft }

  /// Adds a response to its export.
  func add(_ line: [UInt8], to kind: FetchKind, output: ExportPath) throws(RunFailure) {
    let part = try part(kind, output: output)
    part.append(line)
  }

  func note(_ chain: ChainNumber, _ known: KnownChain) { journal.note(chain, known) }

  /// Records the time span for which an environment's notifications were last requested.
  func note(_ store: AppleEnvironment, _ known: KnownNotifications) { journal.note(store, known) }

  /// Commits all responses if a limit is exceeded, and then renames full exports.
  ///
  /// There are two limits: the time since the previous commit, and the size of unsynced text.
  func commitInTime() throws(RunFailure) {
    let waiting = parts.values.reduce(0) { $0 + $1.unsafeBytes }
    let now = SystemClock.steadyMilliseconds
    guard waiting > Self.textBytesMax || now - committedAt > Self.waitMilliseconds else { return }
    try commit()
    for (kind, part) in parts where part.account.length > Self.exportBytesMax {
      try publish(kind, part)
    }
  }

  /// Syncs the bytes of all exports, and then the journal's lines about them.
  func commit() throws(RunFailure) {
    for (kind, part) in parts where part.unsafeBytes > 0 {
      try part.commit()
      journal.note(kind, part.account)
    }
    try journal.commit()
    committedAt = SystemClock.steadyMilliseconds
  }

  /// Commits all responses and renames the exports.
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
