internal import AppleAsking
internal import CivilTime
internal import Diagnostics

/// What fetching has found out, and the exports in the making.
///
/// Answers and what they mean for later runs become safe together: first the export's bytes, then
/// the journal's lines that count on them. A process that is killed loses what it got in the last
/// two seconds, and asks for it again.
final class FetchStore {
  /// How much text waits at most before it is made safe.
  private static let textBytesMax = 4 << 20
  /// How long it waits at most.
  private static let waitMilliseconds: Int64 = 2000
  /// How large an export gets.
  private static let exportBytesMax: Int64 = 64 << 20

  private let journal: FetchJournal
  private var parts: [FetchKind: ExportPart] = [:]
  private var committedAt = SystemClock.steadyMilliseconds
  /// The exports that got their names.
  private(set) var published: [ExportPart.Account] = []

  /// Where the journal of a pipeline lies: in a folder of its own beside state.db, whose lock it
  /// shares with nobody, so that the nights go on while Apple is asked.
  static func journalPath(_ definition: PipelineDefinition) -> String {
    FilePaths.join(
      FilePaths.join(FilePaths.folder(of: definition.statePath), "fetch"), "fetch.journal")
  }

  /// Opens what earlier runs have left.
  init(_ definition: PipelineDefinition) throws(RunFailure) {
    journal = try FetchJournal(Self.journalPath(definition))
    for (kind, account) in journal.parts {
      if ExportPart.isInPlace(account) {
        journal.noteDone(kind)
      } else {
        parts[kind] = try ExportPart(account)
      }
    }
  }

  /// What is known of a chain; `nil` where nothing is.
  func known(_ chain: ChainNumber) -> KnownChain? { journal.chains[chain] }

  /// How far the notifications of a store are fetched.
  func known(_ store: AppleStore) -> KnownNotifications? { journal.notifications[store] }

  /// Adds an answer to its export.
  ///
  /// - Parameters:
  ///   - line: The record, with its newline.
  ///   - kind: What it holds.
  ///   - output: Where an export begins if none is in the making.
  /// - Throws: ``RunFailure`` where the export cannot be begun.
  func add(_ line: [UInt8], to kind: FetchKind, output: ExportPath) throws(RunFailure) {
    let part = try part(kind, output: output)
    part.append(line)
  }

  /// Notes what an answer means for a chain.
  func note(_ chain: ChainNumber, _ known: KnownChain) { journal.note(chain, known) }

  /// Notes what an answer means for a store's notifications.
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
