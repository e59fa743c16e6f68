internal import StateStore
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Which files of known content are read again.
enum Reprocess: String, CaseIterable, Sendable {
  /// None: only what is missing is read.
  case missing
  /// Those that were refused.
  case failed
  /// All, forgotten ones too.
  case all
}

/// What became of all found files.
struct Intake {
  var outcomes: [InputOutcome] = []
  /// The account of the files that were stored.
  var tally = RecordTally()
  /// How many files were stored, refused ones included.
  var storedFiles = 0

  /// What an operator should know about the files that were stored.
  var notices: ExportNotices { outcomes.reduce(into: ExportNotices()) { $0.add($1.notices) } }
  /// How many bytes of text they hold.
  var textBytes: Int64 { outcomes.reduce(0) { $0 + $1.textBytes } }
}

/// Reads found files and commits what they say, all at once or step by step.
struct InputIntake {
  let state: StateDatabase
  let spoolFolder: String
  let jobs: Int
  let allowEmpty: Bool
  /// How the exports spell keys and count money.
  let spelling: ExportSpelling
  var reprocess = Reprocess.missing
  /// After how many bytes of exports a step ends; `nil` commits everything at once.
  var stepBytes: Int64?
  /// Whether every file that counts is among the found ones, so that what is known of others on
  /// disk can be dropped.
  var isComplete = true
  /// The only contents that are read; `nil` for all.
  var wanted: Set<InputIdentity>?
  /// How much memory reading may take.
  var memory = MemoryBudget()

  /// Reads every file that is to be read.
  ///
  /// - Parameters:
  ///   - files: the found files, in the order of the steps.
  ///   - run: enters the run into the ledger, or finds its entry.
  ///   - admitting: the status that a step's files get.
  /// - Returns: what became of each file.
  /// - Throws: ``RunFailure``; the steps that were committed stay.
  func take(
    _ files: [FoundInput], run: () throws(RunFailure) -> Int64,
    admitting: ([IngestBatch.ReadFile]) -> FileStatus
  ) async throws(RunFailure) -> Intake {
    let stamps = reprocess == .all ? [:] : try state.fileStamps()
    let progress = ProgressBar("reading", totalBytes: files.reduce(0) { $0 + $1.size })
    defer { progress.finish() }
    var intake = Intake()
    var outdated = isComplete ? Set(stamps.keys).subtracting(files.compactMap(\.stamp)) : []
    for step in steps(of: files) {
      let batch = try state.beginIngest(memory: memory.encodedBytes)
      let known = KnownFiles(
        stored: try state.files(), forgotten: try state.forgottenFiles(),
        reading: { [spelling] in spelling.reading(of: $0) }, reprocess: reprocess)
      let reader = InputReader(
        found: step, known: known, spelling: spelling, batch: batch, stamps: stamps,
        spoolFolder: spoolFolder, allowEmpty: allowEmpty, wanted: wanted,
        pieceBytes: memory.pieceBytes(workers: min(jobs, max(1, step.count))))
      let outcomes = try await reader.readAll(jobs: jobs, progress: progress)
      try StopSignal.check()
      intake.outcomes += outcomes
      guard !batch.isEmpty else { continue }
      let tally = batch.tally
      intake.tally.add(tally)
      var changes = FileStampChanges()
      for outcome in outcomes {
        if let stamp = outcome.learned { changes.learned[stamp] = outcome.identity.sha256 }
      }
      changes.outdated = Array(outdated)
      outdated = []
      intake.storedFiles += try state.commit(
        batch, run: try run(), admitting: admitting(batch.files), noting: changes
      ).files
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
