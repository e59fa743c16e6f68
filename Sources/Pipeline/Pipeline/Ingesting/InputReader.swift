internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Glibc
internal import PurchaseModel
internal import Synchronization
internal import SystemPackage

/// The outcome of one found file.
struct InputOutcome: Sendable {
  enum Result: Hashable, Sendable {
    /// The content was skipped: it is already stored, the operator removed it, or it is not wanted.
    case known
    /// The file was read and added to the batch, as usable or as refused.
    case added
    /// The file has no record and was left out.
    case empty
    /// The file is not an export, such as a README, and was ignored.
    ///
    /// The value is the kind of the file as text.
    case ignored(String)
  }

  var path: String
  var identity: InputIdentity
  var result: Result
  /// The notices for the operator about an added file.
  var notices = ExportNotices()
  /// The keys of an added file's entry without a value in any record, each as text for a message.
  var valuelessKeys: [String] = []
  /// The columns that an added export of a service lacks.
  var lackingColumns: [(column: LackingColumn, name: String)] = []
  /// The columns of an added report of App Analytics that this program does not know.
  var unknownColumns: [String] = []
  /// The number of records in an added file.
  var records = 0
  /// The number of used records in an added file, without repeated ones.
  var usedRecords = 0
  /// The size of an added file's decompressed text, in bytes.
  var textBytes: Int64 = 0
  /// The stamp by which the next run recognizes the file without reading it, and the file's hash.
  ///
  /// `nil` if the file may have changed while it was read.
  var learned: (stamp: FileStamp, hash: String)?
}

/// Reads found files with several workers, the largest file first.
struct InputReader: Sendable {
  private let found: [FoundInput]
  private let batch: IngestBatch
  private let stamps: [FileStamp: String]
  private let spoolFolder: String
  private let allowEmpty: Bool
  private let fieldMapping: FieldMapping
  private let wanted: Set<InputIdentity>?
  /// The largest size, in bytes, of one file's rows that a worker keeps in memory.
  private let batchBytes: Int
  /// The contents that are not read again.
  private let known: KnownFiles
  /// The latest time that a snapshot may have; `nil` for any time.
  private let latestSnapshot: Instant?
  /// The latest times of snapshots that an earlier reading of each content allowed.
  private let latestSnapshots: [InputIdentity: Instant?]
  private let startedAt = SystemClock.now

  /// Prepares to read files.
  ///
  /// - Parameters:
  ///   - stamps: The hashes of files, keyed by stamp; these files are recognized without reading.
  ///   - wanted: The contents to read; `nil` for all contents.
  ///   - batchBytes: The largest size, in bytes, of one file's rows that a worker keeps in memory.
  init(
    found: some Collection<FoundInput>, known: KnownFiles, fieldMapping: FieldMapping,
    batch: IngestBatch, stamps: [FileStamp: String], spoolFolder: String, allowEmpty: Bool,
    wanted: Set<InputIdentity>? = nil, latestSnapshot: Instant?,
    latestSnapshots: [InputIdentity: Instant?] = [:], batchBytes: Int
  ) {
    self.latestSnapshot = latestSnapshot
    self.latestSnapshots = latestSnapshots
    self.batchBytes = batchBytes
    self.found = Array(found)
    self.batch = batch
    self.stamps = stamps
    self.spoolFolder = spoolFolder
    self.allowEmpty = allowEmpty
    self.fieldMapping = fieldMapping
    self.wanted = wanted
    self.known = known
  }

  /// Reads every file whose content is new.
  ///
  /// - Returns: The outcome of each found file.
  func readAll(jobs: Int, progress: ProgressBar) async throws(RunFailure) -> [InputOutcome] {
    let queue = WorkQueue(found.sorted { ($1.size, $0.path) < ($0.size, $1.path) })
    let workers = min(jobs, max(1, found.count))
    let spare = SpareCores(jobs - workers)
    let results = await withTaskGroup(of: [Result<InputOutcome, RunFailure>].self) { group in
      for _ in 0..<workers {
        group.addTask { work(on: queue, spare: spare, progress: progress) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    var outcomes: [InputOutcome] = []
    for result in results { outcomes.append(try result.get()) }
    return outcomes.sorted { $0.path < $1.path }
  }

  /// Runs one worker, which reads files until none are left or until a file cannot be read.
  ///
  /// Afterwards, other threads may use the worker's core.
  private func work(on queue: WorkQueue, spare: SpareCores, progress: ProgressBar)
    -> [Result<InputOutcome, RunFailure>]
  {
    defer { spare.give() }
    var results: [Result<InputOutcome, RunFailure>] = []
    while let input = queue.next() {
      do throws(RunFailure) {
        try StopSignal.check()
        results.append(.success(try read(input, spare: spare, progress: progress)))
      } catch {
        queue.stop()
        results.append(.failure(error))
      }
    }
    return results
  }

  /// The field mapping and reader version for a file.
  private func reading(of input: FoundInput) -> FileReading {
    (input.fieldMapping ?? fieldMapping).reading(of: input.kind)
  }

  private func read(_ input: FoundInput, spare: SpareCores, progress: ProgressBar)
    throws(RunFailure) -> InputOutcome
  {
    if let hash = input.stamp.flatMap({ stamps[$0] }),
      let identity = known.first(
        of: input.identities(ofBytes: hash), reading: reading(of: input), in: input)
    {
      progress.advance(by: input.size)
      return InputOutcome(path: input.path, identity: identity, result: .known)
    }
    let file = try OpenInput(input, spoolFolder: spoolFolder)
    defer { file.close() }
    let stamp = file.stamp().flatMap { $0.isSettled(at: startedAt) ? $0 : nil }
    var hash: String?
    var outcome = try read(input, from: file, hash: &hash, spare: spare, progress: progress)
    if let stamp, let hash, stamp == file.stamp() { outcome.learned = (stamp, hash) }
    return outcome
  }

  private func read(
    _ input: FoundInput, from file: OpenInput, hash: inout String?, spare: SpareCores,
    progress: ProgressBar
  ) throws(RunFailure) -> InputOutcome {
    // If no known file has this size, the content is new. Its hash is then computed during reading.
    let size = try file.size()
    var latest = latestSnapshot
    if wanted != nil || known.sizes.contains(size) {
      let found = try file.contentHash()
      hash = found
      let possible = input.identities(ofBytes: found)
      let skipped =
        known.first(of: possible, reading: reading(of: input), in: input)
        ?? (wanted.map { possible.contains(where: $0.contains) } ?? true ? nil : possible[0])
      if let skipped {
        progress.advance(by: input.size)
        return InputOutcome(path: input.path, identity: skipped, result: .known)
      }
      if let kept = possible.lazy.compactMap({ latestSnapshots[$0] }).first { latest = kept }
      if let kept = known.latestSnapshot(of: possible) { latest = kept.latest }
    }
    let staging = batch.staging()
    let reading: OpenInput.Reading
    if input.kind == .appleReports {
      reading = try file.readReport()
      progress.advance(by: input.size)
    } else {
      reading = try file.read(
        input.fieldMapping ?? fieldMapping, spare: spare, staging: staging, batchBytes: batchBytes,
        latest: latest, progress: progress)
    }
    let incoming = reading.file
    hash = reading.bytesHash
    let identity = InputIdentity(sha256: incoming.sha256, kind: input.kind)
    guard !known.contains(identity, reading: self.reading(of: input), in: input) else {
      return InputOutcome(path: input.path, identity: identity, result: .known)
    }
    // All empty files have the same hash, but they may have different kinds.
    if let kind = incoming.otherKind, size == 0 {
      return InputOutcome(path: input.path, identity: identity, result: .ignored(kind))
    }
    // An Apple report without a line is not an error: nothing was sold on that day.
    guard
      incoming.refusal != nil || incoming.otherKind != nil || incoming.tally.records > 0
        || allowEmpty || input.kind == .appleReports
    else {
      return InputOutcome(path: input.path, identity: identity, result: .empty)
    }
    let answer = try batch.add(
      incoming, after: staging, replacing: known.replaces(identity))
    guard answer == .added else {
      return InputOutcome(path: input.path, identity: identity, result: .known)
    }
    return InputOutcome(
      path: input.path, identity: identity, result: .added, notices: reading.notices,
      valuelessKeys: reading.valuelessKeys, lackingColumns: reading.lackingColumns,
      unknownColumns: reading.unknownColumns,
      records: incoming.tally.records, usedRecords: incoming.tally.used,
      textBytes: reading.textBytes)
  }
}

/// A queue of files; each worker removes the next file.
private final class WorkQueue: Sendable {
  private let files: [FoundInput]
  private let taken = Atomic<Int>(0)

  init(_ files: [FoundInput]) { self.files = files }

  /// Returns the next file; `nil` if there is none.
  func next() -> FoundInput? {
    let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < files.count ? files[index] : nil
  }

  /// Stops the queue: no further file is returned.
  func stop() { taken.store(files.count, ordering: .relaxed) }
}
