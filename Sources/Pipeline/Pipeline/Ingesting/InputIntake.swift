internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import ExportReading

/// The files with known content that are read again.
package enum Reprocess: String, CaseIterable, Sendable {
  /// No file is read again; only content that state.db lacks is read.
  case missing
  /// Files that are not used, such as refused files, are read again.
  case failed
  /// All files are read again, including forgotten files.
  case all
}

/// The outcomes of all found files, and their sums.
struct Intake {
  var outcomes: [InputOutcome] = []
  /// The numbers of used, repeated and rejected records in the stored files.
  var tally = RecordTally()
  /// The number of stored files, including refused files.
  var storedFiles = 0

  /// The notices for the operator about the stored files.
  var notices: ExportNotices { outcomes.reduce(into: ExportNotices()) { $0.add($1.notices) } }
  /// The size of the decompressed text, in bytes.
  var textBytes: Int64 { outcomes.reduce(0) { $0 + $1.textBytes } }
}

/// The files that are committed together, before the commit.
struct IntakeStep {
  var files: [IngestBatch.ReadFile]
  var outcomes: [InputOutcome]
  /// The files in state.db before the commit.
  var stored: [StoredFile]
  /// The contents that new contents would replace; `nil` if not all files were found.
  var contents: ReplacedContents?
}

/// Reads found files and commits their content, in one transaction or in several batches.
struct InputIntake {
  let state: StateDatabase
  let spoolFolder: String
  let jobs: Int
  let allowEmpty: Bool
  /// The exports' field mapping and price unit.
  let fieldMapping: FieldMapping
  var reprocess = Reprocess.missing
  /// The number of bytes of exports after which a batch is committed; `nil` to commit all files
  /// together.
  var stepBytes: Int64?
  /// Whether the intake gets all found files, not only those in a backfill's window.
  ///
  /// If true, the stamps of files that were not found are deleted. A stamp is the metadata by which
  /// a run recognizes the file without reading it.
  var isComplete = true
  /// The contents to read; `nil` for all contents.
  var wanted: Set<InputIdentity>?
  /// The latest times of snapshots that an earlier reading of each content allowed.
  var latestSnapshots: [InputIdentity: Instant?] = [:]
  /// The memory that reading may use.
  var memory = MemoryBudget()

  /// Reads all files with new content, and commits them in batches.
  ///
  /// - Parameters:
  ///   - files: The found files, in the order in which they are committed.
  ///   - run: Returns the number of the run; the first call records the run in the ledger.
  /// - Returns: The outcomes of the files, and their sums.
  func take(
    _ files: [FoundInput], run: () throws(RunFailure) -> Int64,
    admitting: (IntakeStep) throws(RunFailure) -> FileStatus
  ) async throws(RunFailure) -> Intake {
    let stamps = reprocess == .all ? [:] : try state.fileStamps()
    let progress = ProgressBar("reading", totalBytes: files.reduce(0) { $0 + $1.size })
    defer { progress.finish() }
    var intake = Intake()
    var outdated = isComplete ? Set(stamps.keys).subtracting(files.compactMap(\.stamp)) : []
    let latest = LatestSnapshot.at(SystemClock.now)
    for step in steps(of: files) {
      let batch = try state.beginIngest(memory: memory.encodedBytes)
      let stored = try state.files()
      let known = KnownFiles(
        stored: stored, forgotten: try state.forgottenFiles(),
        reread: try state.heldFiles(withSnapshotThrough: latest ?? .distantFuture)
          .union(try OtherExportsGate.undecided(stored, in: state)),
        reading: { [fieldMapping] in fieldMapping.reading(of: $0) }, reprocess: reprocess)
      let reader = InputReader(
        found: step, known: known, fieldMapping: fieldMapping, batch: batch, stamps: stamps,
        spoolFolder: spoolFolder, allowEmpty: allowEmpty, wanted: wanted,
        latestSnapshot: latest, latestSnapshots: latestSnapshots,
        batchBytes: memory.batchBytes(workers: min(jobs, max(1, step.count))))
      let outcomes = try await reader.readAll(jobs: jobs, progress: progress)
      try StopSignal.check()
      intake.outcomes += outcomes
      guard !batch.isEmpty else { continue }
      let tally = batch.tally
      intake.tally.add(tally)
      var changes = FileStampChanges()
      for outcome in outcomes {
        if let learned = outcome.learned { changes.learned[learned.stamp] = learned.hash }
      }
      changes.outdated = Array(outdated)
      outdated = []
      let read = IntakeStep(
        files: batch.files, outcomes: outcomes, stored: stored,
        contents: isComplete ? ReplacedContents(files, outcomes, stored) : nil)
      intake.storedFiles += try state.commit(
        batch, run: try run(), admitting: try admitting(read), noting: changes,
        replacing: read.contents?.added ?? [])
    }
    return intake
  }

  private func steps(of files: [FoundInput]) -> [ArraySlice<FoundInput>] {
    guard let stepBytes else { return [files[...]] }
    var steps: [ArraySlice<FoundInput>] = []
    var start = files.startIndex
    var bytes: Int64 = 0
    for index in files.indices {
      bytes += files[index].size
      guard bytes >= stepBytes || index == files.indices.last else { continue }
      steps.append(files[start...index])
      (start, bytes) = (index + 1, 0)
    }
    return steps
  }
}
