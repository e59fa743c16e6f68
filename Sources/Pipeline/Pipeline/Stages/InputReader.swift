internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Glibc
internal import PurchaseModel
internal import Synchronization
internal import SystemPackage

/// The identity of a file: the hash of its content, and its kind.
struct InputIdentity: Hashable, Sendable {
  var sha256: String
  var kind: InputFile.Kind
}

/// The outcome of one found file.
struct InputOutcome: Sendable {
  enum Result: Hashable, Sendable {
    /// Its content is stored already.
    case known
    /// It was read and added to the batch, or refused and added as refused.
    case added
    /// It holds no record, and was left out.
    case empty
    /// Ignored: a file of another kind without records; the kind in words.
    case ignored(String)
  }

  var path: String
  var identity: InputIdentity
  var result: Result
  /// The notices for the operator about an added file.
  var notices = ExportNotices()
  /// The number of records in an added file.
  var records = 0
  /// The size of an added file's text, in bytes.
  var textBytes: Int64 = 0
  /// The stamp by which the file can be recognised next time without reading it; `nil` if that is
  /// unsafe.
  var learned: FileStamp?
}

/// Reads found files with several workers, the largest first.
struct InputReader: Sendable {
  private let found: [FoundInput]
  private let batch: IngestBatch
  private let stamps: [FileStamp: String]
  private let spoolFolder: String
  private let allowEmpty: Bool
  private let fieldMapping: FieldMapping
  private let wanted: Set<InputIdentity>?
  /// The bytes of rows of one file that a worker holds in memory.
  private let pieceBytes: Int
  /// The contents that are not read again.
  private let known: KnownFiles
  private let startedAt = SystemClock.now

  /// Prepares to read files.
  ///
  /// - Parameters:
  ///   - found: the files.
  ///   - known: the contents that are skipped.
  ///   - fieldMapping: the exports' field mapping and price unit.
  ///   - batch: the batch that new content is added to.
  ///   - stamps: the hashes of files that are recognised without reading.
  ///   - spoolFolder: the folder in which standard input may be kept meanwhile.
  ///   - allowEmpty: whether files without a record are stored.
  ///   - wanted: the only contents that are read; `nil` for all.
  ///   - pieceBytes: the bytes of rows of one file that a worker holds in memory.
  init(
    found: some Collection<FoundInput>, known: KnownFiles, fieldMapping: FieldMapping,
    batch: IngestBatch, stamps: [FileStamp: String], spoolFolder: String, allowEmpty: Bool,
    wanted: Set<InputIdentity>? = nil, pieceBytes: Int
  ) {
    self.pieceBytes = pieceBytes
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
  /// - Parameters:
  ///   - jobs: the number of workers.
  ///   - progress: the bar to advance.
  /// - Returns: the outcome of each found file.
  /// - Throws: the first failure of a worker, by path.
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

  /// Runs one worker: reads files until none is left or one fails; then its core is free.
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

  /// The way in which a file is read.
  private func reading(of input: FoundInput) -> FileReading {
    (input.fieldMapping ?? fieldMapping).reading(of: input.kind)
  }

  private func read(_ input: FoundInput, spare: SpareCores, progress: ProgressBar)
    throws(RunFailure) -> InputOutcome
  {
    if let hash = input.stamp.flatMap({ stamps[$0] }) {
      let identity = InputIdentity(sha256: hash, kind: input.kind)
      if known.contains(identity, reading: reading(of: input)) {
        progress.advance(by: input.size)
        return InputOutcome(path: input.path, identity: identity, result: .known)
      }
    }
    let file = try OpenInput(input, spoolFolder: spoolFolder)
    defer { file.close() }
    let stamp = file.stamp().flatMap { $0.isSettled(at: startedAt) ? $0 : nil }
    var outcome = try read(input, from: file, spare: spare, progress: progress)
    if let stamp, stamp == file.stamp() { outcome.learned = stamp }
    return outcome
  }

  private func read(
    _ input: FoundInput, from file: OpenInput, spare: SpareCores, progress: ProgressBar
  ) throws(RunFailure) -> InputOutcome {
    // A file of a size that no known one has is new, and is hashed while it is read.
    let size = try file.size()
    if wanted != nil || known.sizes.contains(size) {
      let identity = InputIdentity(sha256: try file.contentHash(), kind: input.kind)
      guard !known.contains(identity, reading: reading(of: input)),
        wanted?.contains(identity) ?? true
      else {
        progress.advance(by: input.size)
        return InputOutcome(path: input.path, identity: identity, result: .known)
      }
    }
    let staging = batch.staging()
    let reading: OpenInput.Reading
    if input.kind == .appleReports {
      reading = try file.readReport()
      progress.advance(by: input.size)
    } else {
      reading = try file.read(
        input.fieldMapping ?? fieldMapping, spare: spare, staging: staging, pieceBytes: pieceBytes,
        progress: progress)
    }
    let incoming = reading.file
    let identity = InputIdentity(sha256: incoming.sha256, kind: input.kind)
    guard !known.contains(identity, reading: self.reading(of: input)) else {
      return InputOutcome(path: input.path, identity: identity, result: .known)
    }
    // All empty files have one hash, so that the kind of one is no evidence for the others.
    if let kind = incoming.otherKind, size == 0 {
      return InputOutcome(path: input.path, identity: identity, result: .ignored(kind))
    }
    // A report without a line means that nothing was sold.
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
      records: incoming.tally.records, textBytes: reading.textBytes)
  }
}

/// Files, of which each worker reads the next.
private final class WorkQueue: Sendable {
  private let files: [FoundInput]
  private let taken = Atomic<Int>(0)

  init(_ files: [FoundInput]) { self.files = files }

  /// The next file; `nil` when none is left.
  func next() -> FoundInput? {
    let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < files.count ? files[index] : nil
  }

  /// Gives out no more files.
  func stop() { taken.store(files.count, ordering: .relaxed) }
}
