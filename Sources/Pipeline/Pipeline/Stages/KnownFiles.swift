internal import SharedTables
internal import StateStore
internal import Crypto
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// The contents that are skipped, because state.db holds their rows.
struct KnownFiles: Sendable {
  private let stored: [InputIdentity: StoredFile]
  private let forgotten: Set<InputIdentity>
  private let reading: @Sendable (InputFile.Kind) -> FileReading
  private let reprocess: Reprocess
  /// The sizes of the contents that may be known: a file of another size is new.
  let sizes: Set<Int64>

  /// Prepares to distinguish new contents from known contents.
  ///
  /// - Parameters:
  ///   - stored: The files that state.db holds.
  ///   - forgotten: The files whose content was removed.
  ///   - reading: The way in which files of a kind are read now.
  ///   - reprocess: The files of known content to read again.
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

  /// Whether a content is skipped.
  ///
  /// - Parameters:
  ///   - identity: The content.
  ///   - own: The way in which its entry is read; `nil` for that of its kind.
  /// - Returns: Whether nothing of it is read.
  func contains(_ identity: InputIdentity, reading own: FileReading? = nil) -> Bool {
    if let file = stored[identity] {
      return !Self.isRead(file, reading: own ?? reading(file.kind), reprocess: reprocess)
    }
    return reprocess != .all && forgotten.contains(identity)
  }

  /// Whether a content's new rows replace its stored ones.
  ///
  /// A refused file that is refused again for the same reason changes nothing.
  func replaces(_ identity: InputIdentity) -> Bool {
    guard let file = stored[identity] else { return false }
    return reprocess == .all || file.refusal == nil
  }

  /// Whether a stored file is read again.
  ///
  /// A held file is read again if the reader or the pipeline's key names have changed, because it
  /// may be usable now. A used one is read again if these names or the unit of prices have changed,
  /// because its rows differ now.
  private static func isRead(
    _ file: StoredFile, reading: FileReading, reprocess: Reprocess
  ) -> Bool {
    switch reprocess {
    case .all: true
    case .failed where file.status != .used: true
    case .failed, .missing:
      if file.refusal != nil {
        false
      } else if file.status == .used, !file.tally.isBarren {
        file.reading.fieldMapping != reading.fieldMapping
      } else {
        file.reading != reading
      }
    }
  }
}

extension FieldMapping {
  /// The way of reading that state.db keeps with each file of a kind.
  func reading(of kind: InputFile.Kind) -> FileReading {
    // No setting changes how a report of Apple's is read.
    if kind == .appleReports { return FileReading() }
    let identity = identity(of: kind)
    return FileReading(
      fieldMapping: identity.isEmpty
        ? "" : Hexadecimal.text(SHA256.hash(data: Array(identity.utf8))),
      readerVersion: Self.readerVersion)
  }
}
