internal import CivilTime
internal import StateStore
package import Diagnostics
internal import ExportReading
internal import Glibc
internal import PurchaseModel
internal import SystemPackage

/// An input file that was opened safely: a regular file, not a symbolic link.
package struct OpenInput {
  let input: FoundInput
  let descriptor: FileDescriptor

  /// Opens a found file; copies standard input into an unlinked file first.
  package init(_ input: FoundInput, spoolFolder: String) throws(RunFailure) {
    self.input = input
    if input.path == "-" {
      descriptor = try Spool.standardInput(in: spoolFolder)
    } else {
      do {
        descriptor = try FileDescriptor.open(
          FilePath(input.resolvedPath), .readOnly,
          options: [.noFollow, .nonBlocking, .closeOnExec])
      } catch let error as Errno {
        throw .system(error, "opening \(input.path)")
      } catch {
        throw RunFailure(.inputOutput, "opening \(OneLine.text(input.path)): \(error)")
      }
    }
    do {
      let status = try PathStatus(of: descriptor)
      guard status.kind == .regular else {
        try? descriptor.close()
        throw RunFailure(
          .dataRefused,
          "\(OneLine.text(input.path)): it is not a regular file; remove it from the inputs")
      }
    } catch let failure as RunFailure {
      throw failure
    } catch {
      throw .system(error as? Errno ?? .ioError, "opening \(input.path)")
    }
  }

  /// Returns the identity, size and times of the open file; `nil` for standard input.
  ///
  /// If a later call returns a different value, the file has changed between the calls.
  func stamp() -> FileStamp? {
    input.path == "-" ? nil : (try? PathStatus(of: descriptor))?.stamp
  }

  /// The size of the file in bytes.
  func size() throws(RunFailure) -> Int64 {
    do {
      return try PathStatus(of: descriptor).size
    } catch {
      throw .system(error, "reading \(input.path)")
    }
  }

  /// The SHA-256 of the file's bytes, in lower-case hex.
  func contentHash() throws(RunFailure) -> String {
    try rewind()
    do {
      return try sha256(ofDescriptor: descriptor.rawValue) { StopSignal.received != nil }.sha256
    } catch {
      throw failure(error)
    }
  }

  /// Returns the SHA-256 of the bytes of the file at a path, in lower-case hex.
  ///
  /// `nil` if there is no regular file.
  package static func contentHash(ofFileAt path: String) throws(RunFailure) -> String? {
    guard let resolved = RealPath.of(path), (try? PathStatus(at: resolved))?.kind == .regular
    else { return nil }
    let file = try OpenInput(
      FoundInput(path: path, resolvedPath: resolved, kind: .receipts, exportDay: nil, size: 0),
      spoolFolder: ".")
    defer { file.close() }
    return try file.contentHash()
  }

  /// The result of reading a file once.
  struct Reading {
    /// The content of the file; if it cannot be read whole, it is marked as refused.
    var file: IncomingFile
    /// The notices for the operator about the content of the file.
    var notices = ExportNotices()
    /// The size of the file's decompressed text, in bytes.
    var textBytes: Int64 = 0
    /// The SHA-256 of the file's bytes; `nil` if `file.sha256` is this hash.
    ///
    /// Otherwise `file.sha256` is the hash of the bytes together with the export day.
    var hashWithoutDay: String?
    /// The keys of the file's entry without a value in any record, each as text for a message.
    var valuelessKeys: [String] = []
    /// The columns that a service's export lacks.
    var lackingColumns: [(column: LackingColumn, name: String)] = []
    /// The columns of a report of App Analytics that this program does not know.
    var unknownColumns: [String] = []

    /// The SHA-256 of the file's bytes.
    var bytesHash: String { hashWithoutDay ?? file.sha256 }
  }

  /// Reads the whole file, on two cores if a second core is idle.
  ///
  /// - Parameters:
  ///   - staging: Receives rows that exceed `batchBytes`; `nil` to keep all rows in memory.
  ///   - batchBytes: The number of bytes of rows that are kept in memory.
  ///   - latest: The latest time that a snapshot may have; see ``LatestSnapshot``.
  func read(
    _ fieldMapping: FieldMapping, spare: SpareCores, staging: FileStaging?, batchBytes: Int,
    latest: Instant?, progress: ProgressBar
  ) throws(RunFailure) -> Reading {
    try rewind()
    var limits = ExportLimits()
    limits.latestSnapshot = latest
    let batches = staging.map { staging in RowBatches(bytes: batchBytes) { staging.add($0) } }
    do {
      let content = try readExport(
        descriptor: descriptor.rawValue, name: input.path, kind: input.kind,
        fieldMapping: fieldMapping, limits: limits,
        spare: spare, batches: batches, progress: { progress.advance(by: Int64($0)) },
        isCancelled: { StopSignal.received != nil })
      if content.tally.used == 0,
        let kind = OtherKind.words(input.path, bytes: content.bytes, foreign: content.foreign)
      {
        return ignored(content, kind, fieldMapping)
      }
      if let foreign = content.isNoText {
        return refused(content.sha256, bytes: content.bytes, "no export: \(foreign)", fieldMapping)
      }
      var file = IncomingFile(
        sha256: content.sha256, kind: input.kind, name: input.path,
        exportDate: input.exportDay(through: latest),
        bytes: content.bytes, tally: content.tally, rejects: NearestPath.rejects(of: content),
        content: content.set)
      file.reading = fieldMapping.reading(of: input.kind)
      file.assumedProduction = content.notices.assumedProduction
      file.latestSnapshot = latest
      file.isCompleteThroughNewest = fieldMapping.isCompleteThroughNewest
      var reading = Reading(file: file, notices: content.notices, textBytes: content.textBytes)
      if staging?.isEmpty ?? true { reading.valuelessKeys = valuelessKeys(content, fieldMapping) }
      if let export = fieldMapping.export, content.tally.used > 0 {
        let shapes = (try? preview(fieldMapping, records: 20, notesShapes: true).get())?.shapes
        reading.lackingColumns = export.lacking(among: shapes.map { Array($0.joined()) } ?? [])
      }
      return reading
    } catch .refused(let refusal, let sha256, let bytes) {
      return refused(sha256, bytes: bytes, refusal.description, fieldMapping)
    } catch {
      throw staging?.failed ?? failure(error)
    }
  }

  /// The keys of the entry that have no value in the file: `storefront (country)`.
  ///
  /// If the first record has a similar path, the text ends with it.
  private func valuelessKeys(_ content: ExportContent, _ fieldMapping: FieldMapping) -> [String] {
    let keys = fieldMapping.valuelessKeys(in: content.set, kind: input.kind)
    guard !keys.isEmpty else { return [] }
    let paths = (try? preview(fieldMapping, records: 1).get())?.paths ?? []
    return keys.map { key, wanted in
      let near = wanted.lazy.filter { !paths.contains($0) }
        .compactMap { NearestWord.suggestion(for: $0, among: paths) }.first
      let name = "\(key) (\(wanted.map(OneLine.text).joined(separator: ", ")))"
      return near.map { "\(name); line 1 has \(OneLine.text($0))" } ?? name
    }
  }

  /// Creates the result for a file that is not an export, such as a README.
  ///
  /// Nothing of its content is stored.
  private func ignored(_ content: ExportContent, _ kind: String, _ fieldMapping: FieldMapping)
    -> Reading
  {
    var file = IncomingFile(
      sha256: content.sha256, kind: input.kind, name: input.path, exportDate: input.exportDay,
      bytes: content.bytes, tally: RecordTally(), rejects: [], content: Observations())
    file.otherKind = kind
    file.reading = fieldMapping.reading(of: input.kind)
    return Reading(file: file, textBytes: content.textBytes)
  }

  private func refused(
    _ sha256: String, bytes: Int64, _ refusal: String, _ fieldMapping: FieldMapping
  ) -> Reading {
    var file = IncomingFile(
      refused: sha256, kind: input.kind, name: input.path, exportDate: input.exportDay,
      bytes: bytes, refusal: refusal)
    file.reading = fieldMapping.reading(of: input.kind)
    return Reading(file: file)
  }

  /// Reads the first records of the file, and finds all faults of each record.
  ///
  /// With `notesShapes`, the paths to the values of each record are noted.
  func preview(_ fieldMapping: FieldMapping, records: Int, notesShapes: Bool = false)
    throws(RunFailure) -> Result<ExportContent, ExportRefusal>
  {
    try rewind()
    var limits = ExportLimits()
    limits.records = records
    limits.reportsAllFaults = true
    limits.notesShapes = notesShapes
    limits.latestSnapshot = LatestSnapshot.at(SystemClock.now)
    do {
      var content = try readExport(
        descriptor: descriptor.rawValue, name: input.path, kind: input.kind,
        fieldMapping: fieldMapping,
        limits: limits, isCancelled: { StopSignal.received != nil })
      content.rejects = NearestPath.rejects(of: content)
      return .success(content)
    } catch .refused(let refusal, _, _) {
      return .failure(refusal)
    } catch {
      throw failure(error)
    }
  }

  package func close() { try? descriptor.close() }

  func rewind() throws(RunFailure) {
    do {
      try descriptor.seek(offset: 0, from: .start)
    } catch {
      throw .system(error as? Errno ?? .ioError, "reading \(input.path)")
    }
  }

  func failure(_ error: ExportError) -> RunFailure {
    switch error {
    case .unreadable(let number):
      return .system(Errno(rawValue: number), "reading \(input.path)")
    case .cancelled, .refused:
      return StopSignal.failure(StopSignal.received ?? SIGTERM)
    }
  }
}
