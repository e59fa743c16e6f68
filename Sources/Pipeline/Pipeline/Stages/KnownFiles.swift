internal import SharedTables
internal import StateStore
internal import Crypto
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// The contents of files to skip, because state.db has them or the operator removed them.
struct KnownFiles: Sendable {
  private let stored: [InputIdentity: StoredFile]
  private let forgotten: Set<InputIdentity>
  private let reading: @Sendable (InputFile.Kind) -> FileReading
  private let reprocess: Reprocess
  /// The sizes of known contents; a file of any other size is new.
  let sizes: Set<Int64>

  /// Determines the contents to skip from the files in state.db.
  ///
  /// - Parameters:
  ///   - stored: The files in state.db.
  ///   - forgotten: The files whose content was removed.
  ///   - reading: Returns the current field mapping and reader version for a kind of file.
  ///   - reprocess: The files with known content that are read again.
  init(
    stored: [StoredFile], forgotten: [ForgottenFile],
    reading: @escaping @Sendable (InputFile.Kind) -> FileReading, reprocess: Reprocess
  ) {
    let files = Dictionary(uniqueKeysWithValues: stored.map { ($0.identity, $0) })
    self.stored = files
    self.forgotten = Set(
      forgotten.map { InputIdentity(sha256: $0.sha256, kind: $0.kind) })
    self.reading = reading
    self.reprocess = reprocess
    sizes = reprocess == .all ? [] : Set(stored.map(\.bytes) + forgotten.map(\.bytes))
  }

  /// Returns true if a file with the given content is skipped.
  ///
  /// - Parameters:
  ///   - identity: The content.
  ///   - own: The field mapping in the file's own entry of the pipeline; `nil` for the mapping that
  ///     all files of its kind have.
  /// - Returns: True if the content is not read.
  func contains(_ identity: InputIdentity, reading own: FileReading? = nil) -> Bool {
    if let file = stored[identity] {
      return !Self.isRead(file, reading: own ?? reading(file.kind), reprocess: reprocess)
    }
    return reprocess != .all && forgotten.contains(identity)
  }

  /// Returns the first identity with a content that is skipped; `nil` if no content is skipped.
  func first(of identities: [InputIdentity], reading own: FileReading? = nil) -> InputIdentity? {
    identities.first { contains($0, reading: own) }
  }

  /// Returns true if a content that is read again may replace the stored content.
  ///
  /// If a refused file is refused again for the same reason, nothing changes.
  func replaces(_ identity: InputIdentity) -> Bool {
    guard let file = stored[identity] else { return false }
    return reprocess == .all || file.refusal == nil
  }

  /// Returns true if a stored file is read again.
  ///
  /// A held file is read again if the reader, the key names or the price unit have changed, because
  /// the file may now be usable. A used file is read again if the key names or the price unit have
  /// changed, because its rows may now be different.
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
