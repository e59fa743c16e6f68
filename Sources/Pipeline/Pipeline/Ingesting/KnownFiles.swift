internal import SharedTables
internal import StateStore
internal import Crypto
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// The contents of files to skip, because state.db has them or the operator removed them.
struct KnownFiles: Sendable {
  private let stored: [InputIdentity: StoredFile]
  private let forgotten: Set<InputIdentity>
  private let reading: @Sendable (InputFile.Kind) -> FileReading
  private let reprocess: Reprocess
  /// The ids of held files that are read again: their snapshots are no longer in the future, or
  /// only their reading tells what they hold.
  private let reread: Set<Int64>
  /// The sizes, in bytes, of the contents that may be skipped; a file of any other size is read.
  let sizes: Set<Int64>

  /// Determines the contents to skip from the files in state.db.
  init(
    stored: [StoredFile], forgotten: [ForgottenFile], reread: Set<Int64> = [],
    reading: @escaping @Sendable (InputFile.Kind) -> FileReading, reprocess: Reprocess
  ) {
    let files = Dictionary(uniqueKeysWithValues: stored.map { ($0.identity, $0) })
    self.stored = files
    self.forgotten = Set(
      forgotten.map { InputIdentity(sha256: $0.sha256, kind: $0.kind) })
    self.reading = reading
    self.reprocess = reprocess
    self.reread = reread
    sizes = reprocess == .all ? [] : Set(stored.map(\.bytes) + forgotten.map(\.bytes))
  }

  /// Returns true if a file with the given content is skipped.
  ///
  /// - Parameters:
  ///   - own: The field mapping and reader version for this file; `nil` for those of all files of
  ///     its kind.
  ///   - input: The found file with the content.
  /// - Returns: True if the content is not read.
  func contains(_ identity: InputIdentity, reading own: FileReading? = nil, in input: FoundInput)
    -> Bool
  {
    if let file = stored[identity] {
      guard !reread.contains(file.id), !Self.isDatedAnew(file, by: input) else { return false }
      return !Self.isRead(file, reading: own ?? reading(file.kind), reprocess: reprocess)
    }
    return reprocess != .all && forgotten.contains(identity)
  }

  /// Returns the first identity with a content that is skipped; `nil` if no content is skipped.
  func first(
    of identities: [InputIdentity], reading own: FileReading? = nil, in input: FoundInput
  ) -> InputIdentity? {
    identities.first { contains($0, reading: own, in: input) }
  }

  /// Returns true if the name of a found file gives a used file another export day.
  ///
  /// Example: the pattern `rc/t_*.csv` becomes `rc/t_{date}.csv`. Of two copies, one with a day in
  /// its name, the day counts.
  private static func isDatedAnew(_ file: StoredFile, by input: FoundInput) -> Bool {
    guard file.status == .used, file.kind != .appleReports,
      input.fieldMapping?.isCompleteThroughNewest != true
    else { return false }
    let day = input.exportDay(through: file.latestSnapshot)
    return file.name == input.path ? file.exportDate != day : file.exportDate == nil && day != nil
  }

  /// Returns true if a file that is read now replaces the stored file of the same hash and kind.
  ///
  /// A stored file that was refused is replaced only if all files are read again.
  func replaces(_ identity: InputIdentity) -> Bool {
    guard let file = stored[identity] else { return false }
    return reprocess == .all || file.refusal == nil
  }

  /// The latest time of a snapshot, kept from the first reading of a file that is in use; `nil` for
  /// any other file.
  func latestSnapshot(of identities: [InputIdentity]) -> Kept? {
    identities.lazy.compactMap { stored[$0] }.first { $0.status == .used }
      .map { Kept(latest: $0.latestSnapshot) }
  }

  /// The kept time; `nil` allows any time.
  struct Kept {
    var latest: Instant?
  }

  /// Returns true if a stored file is read again.
  ///
  /// If `reprocess` does not already include the file, the status of the file decides:
  /// - A refused file is not read again.
  /// - A used file with a usable record is read again if the key names or the price unit have
  ///   changed, because its rows may now be different.
  /// - Any other file, such as a held file, is read again if the reader, the key names or the price
  ///   unit have changed, because the file may now be usable.
  private static func isRead(
    _ file: StoredFile, reading: FileReading, reprocess: Reprocess
  ) -> Bool {
    switch reprocess {
    case .all: true
    case .failed where file.status != .used: true
    case .failed, .missing:
      if file.refusal != nil {
        false
      } else if file.status == .used, !file.tally.hasNoUsableRecord {
        file.reading.fieldMapping != reading.fieldMapping
      } else {
        file.reading != reading
      }
    }
  }
}

extension FieldMapping {
  /// The field mapping and reader version with which files of a kind are now read.
  func reading(of kind: InputFile.Kind) -> FileReading {
    // Apple's reports are read without settings.
    if kind == .appleReports { return FileReading() }
    let identity = identity(of: kind)
    return FileReading(
      fieldMapping: identity.isEmpty
        ? "" : Hexadecimal.text(SHA256.hash(data: Array(identity.utf8))),
      readerVersion: Self.readerVersion)
  }
}
