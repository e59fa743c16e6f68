internal import CivilTime
public import SharedTables
public import Diagnostics
public import PurchaseModel
internal import Synchronization
internal import TemporaryFiles

/// The new files of one run, encoded by several threads and stored in one transaction.
///
/// Any thread may call ``add(_:after:replacing:)``. The batch contains only the encoded content of
/// the files. Nothing is written to state.db before ``StateDatabase/commit(_:run:admitting:)``.
public final class IngestBatch: Sendable {
  /// The result of adding a file to a batch.
  public enum Answer: Hashable, Sendable {
    /// The content will be stored: it is new, was refused before, or replaces stored content.
    case added
    /// The content will not be stored, because state.db or this batch already has equal content.
    ///
    /// For content that was refused before, this result means that reading refused it again, for
    /// the reason that state.db has.
    case known
  }

  /// A file of the batch with the tally of its records.
  public struct ReadFile: Hashable, Sendable {
    /// The SHA-256 of the content; lower-case hex.
    public var sha256: String
    /// The kind of content.
    public var kind: InputFile.Kind
    /// The settings and the version with which the file was read.
    public var reading: FileReading
    /// The tally of its records; empty for a refused file.
    public var tally: RecordTally
    /// Whether a price record was rejected because the pipeline does not declare the record's
    /// format.
    public var hasUnnamedFormat: Bool
    /// Whether the file has neither a row of a purchase nor a price report.
    public var isBare: Bool
  }

  struct Identity: Hashable, Sendable {
    var sha256: String
    var kind: InputFile.Kind
  }

  struct Entry: Sendable {
    var file: IncomingFile
    var encoded: EncodedFile
    /// The lines of the file, if it is one of Apple's reports; `nil` for any other file.
    var report: EncodedReport?
    /// The number of the stored file whose content this file replaces; `nil` for a new file.
    ///
    /// The stored file has equal bytes, or the earlier content of a path that replaces.
    var replaces: Int64?
    /// Whether the stored file with these bytes is in use, and stays in use with the new content.
    ///
    /// The file stays in use if the new reading rejects neither more records nor more rows than the
    /// stored reading. An export in which the new reading finds no purchase does not stay in use.
    var staysUsed: Bool

    /// The day of the newest snapshot, if the file is complete through the day before.
    var newestDay: CivilDay? {
      file.isCompleteThroughNewest ? encoded.newestSnapshotAt?.day : nil
    }
  }

  private let stored: [Identity: StoredFile]
  private let entries = Mutex<[Identity: Entry?]>([:])
  /// The file with the alphabetically first name among files of equal bytes, without its content.
  private let smallest = Mutex<[Identity: IncomingFile]>([:])
  let interner: SymbolInterner
  let store: SortMemory

  init(stored files: [StoredFile], interner: SymbolInterner, store: SortMemory) {
    self.store = store
    var stored: [Identity: StoredFile] = [:]
    for file in files { stored[Identity(sha256: file.sha256, kind: file.kind)] = file }
    self.stored = stored
    self.interner = interner
  }

  /// Creates an object that stores one file in parts, because its content may be too large for
  /// memory.
  public func staging() -> FileStaging { FileStaging(store: store, interner: interner) }

  /// Encodes a file's content and keeps the result until the commit.
  ///
  /// - Parameters:
  ///   - file: The result of reading the file; its tally must include every record.
  ///   - staging: The earlier parts of the file; `nil` for a file in one part.
  ///   - replacing: Whether the content replaces the stored content of a file with equal bytes,
  ///     because the file was read again.
  /// - Returns: ``Answer/added`` if the commit will store the file, else ``Answer/known``.
  /// - Throws: ``RunFailure`` when state.db cannot be read, or when two different reports of the
  ///   file have the same evidence id (a bug). The batch must then be discarded.
  public func add(
    _ file: IncomingFile, after staging: FileStaging? = nil, replacing: Bool = false
  ) throws(RunFailure) -> Answer {
    let identity = Identity(sha256: file.sha256, kind: file.kind)
    let known = stored[identity]
    if let known, !replacing {
      let isRefusedAgain = file.refusal != nil && file.refusal == known.refusal
      if known.status != .refused || isRefusedAgain { return .known }
    }
    var kept = file
    kept.content = Observations()
    kept.reportLines = []
    // The result must not depend on which worker was first. So the alphabetically first name is
    // kept, with the day in this name.
    smallest.withLock { smallest in
      if smallest[identity].map({ kept.name < $0.name }) ?? true { smallest[identity] = kept }
    }
    let isFirst = entries.withLock { entries in
      guard entries[identity] == nil else { return false }
      entries[identity] = .some(nil)
      return true
    }
    guard isFirst else { return .known }
    let isRead = file.refusal == nil && file.otherKind == nil
    let content = isRead ? file.content : Observations()
    let encoded: EncodedFile
    if let staging, !staging.isEmpty, isRead {
      encoded = try staging.finish(content)
    } else {
      let numbers = try interner.numbers(of: UsedSymbols(content), in: content.symbols)
      encoded = try FileEncoder.encode(content, numbers: numbers, into: store)
    }
    let report = isRead ? file.report.map { EncodedReport($0, file.reportLines) } : nil
    let isEmptied = file.kind == .exports && encoded.isBare
    let entry = Entry(
      file: kept, encoded: encoded, report: report, replaces: known?.id,
      staysUsed: known.map {
        $0.status == .used && !isEmptied && !file.tally.isWorse(than: $0.tally)
      } ?? false)
    entries.withLock { $0[identity] = entry }
    return .added
  }

  /// The files that were added so far, except files that are not exports.
  public var files: [ReadFile] {
    entries.withLock { entries in
      entries.compactMap { identity, entry in
        guard entry?.file.otherKind == nil else { return nil }
        return entry.map {
          ReadFile(
            sha256: identity.sha256, kind: identity.kind, reading: $0.file.reading,
            tally: $0.file.tally,
            hasUnnamedFormat: $0.file.rejects.contains { $0.reason == .priceUnnamedFormat },
            isBare: $0.encoded.isBare)
        }
      }
    }
  }

  /// The tally of the files that were added so far.
  public var tally: RecordTally {
    entries.withLock { entries in
      var tally = RecordTally()
      for entry in entries.values { if let entry { tally.add(entry.file.tally) } }
      return tally
    }
  }

  /// Whether there is nothing to commit.
  public var isEmpty: Bool { entries.withLock { $0.isEmpty } }

  /// The files, sorted by hash, then kind.
  func sortedEntries() throws(RunFailure) -> [Entry] {
    let all = entries.withLock { Array($0.values) }
    let finished = all.compactMap(\.self)
    guard finished.count == all.count else {
      throw RunFailure(
        .invariantBroken,
        "reading did not finish for \(Count.text(all.count - finished.count, "file")), so no file of this run was stored. "
          + "This is a bug; please report it.")
    }
    let smallest = smallest.withLock(\.self)
    return finished.map { entry in
      var entry = entry
      let identity = Identity(sha256: entry.file.sha256, kind: entry.file.kind)
      entry.file = smallest[identity] ?? entry.file
      return entry
    }.sorted {
      ($0.file.sha256, $0.file.kind.rawValue) < ($1.file.sha256, $1.file.kind.rawValue)
    }
  }
}

extension RecordTally {
  /// Returns true if this reading rejects more records or more rows than an earlier reading.
  fileprivate func isWorse(than earlier: RecordTally) -> Bool {
    rejected > earlier.rejected || rows.rejected > earlier.rows.rejected
  }
}

extension EncodedFile {
  /// Whether there is neither a row of a purchase nor a price report.
  fileprivate var isBare: Bool { chains.isEmpty && reports.isEmpty }
}
