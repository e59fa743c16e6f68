internal import StateStore
internal import SharedTables
package import CivilTime
package import Diagnostics
package import Logging
internal import PurchaseModel
package import Warehouse

/// Verifies that the published facts are consistent, and agree with state.db and the exports.
package struct Verification {
  let definition: PipelineDefinition
  let log: Logger
  private let state: StateDatabase
  private let published: PublishedRun

  /// Opens state.db and the warehouse for reading.
  ///
  /// - Throws: ``RunFailure`` with status 66 if nothing has been published.
  package init(_ definition: PipelineDefinition, log: Logger) throws(RunFailure) {
    self.definition = definition
    self.log = log
    state = try StateDatabase.openToRead(path: definition.statePath)
    guard try WarehouseDatabase(path: definition.warehousePath).exists(),
      let run = try WarehouseDatabase(path: definition.warehousePath).lastRun()
    else {
      throw PublishedWarehouse.nothing(of: definition)
    }
    published = run
  }

  private var warehouse: WarehouseDatabase { WarehouseDatabase(path: definition.warehousePath) }

  /// Checks that the facts were computed from the current inputs and settings by this program.
  ///
  /// - Returns: The as-of time that the operator set for the publication; `nil` if the operator set
  ///   none.
  package func requireCurrent() throws(RunFailure) -> Instant? {
    let generation = try state.generation()
    var reasons: [String] = []
    if generation != published.stateGeneration {
      reasons.append(
        "state.db has changed since then (generation \(published.stateGeneration) to generation "
          + "\(generation))")
    }
    if published.programVersion != ProgramVersion.program
      || published.rulesVersion != ProgramVersion.rules
    {
      reasons.append(
        "another version of the program published these facts, \(published.programVersion)")
    }
    let isByDefault =
      try ReconstructSettings.read(definition, asOf: nil).digest == published.settingsSHA256
    let isByHand =
      try ReconstructSettings.read(definition, asOf: published.asOf).digest
      == published.settingsSHA256
    if !isByDefault, !isByHand {
      reasons.append(
        "the settings, the catalogue, the rates or the customer key have changed since then")
    }
    guard reasons.isEmpty else {
      throw RunFailure(
        .dataRefused,
        "the facts of run \(published.runID) are out of date: "
          + "\(reasons.joined(separator: "; ")). "
          + "Run the pipeline first.")
    }
    return isByDefault ? nil : published.asOf
  }

  /// Returns the contradictions within state.db and the warehouse, and between both; empty if there
  /// are none.
  ///
  /// Does not read an export.
  ///
  /// - Parameter isThorough: Whether the indexes are compared with their tables, too.
  package func findings(isThorough: Bool) throws(RunFailure) -> [String] {
    var findings = try state.damage(isThorough: isThorough)
    let damaged = try warehouse.damage(isThorough: isThorough)
    guard damaged.isEmpty else { return findings + damaged }
    findings += try warehouse.wrongDerivedRows()
    let hash = try warehouse.contentDigest()
    if hash != published.contentDigest {
      findings.append(
        "the rows in the warehouse are not those that run \(published.runID) published: their digest "
          + "is \(hash), not \(published.contentDigest)")
    }
    try StopSignal.check()
    findings += try accountFindings()
    return findings
  }

  /// Checks that both databases have every file with equal status and equal numbers of records.
  private func accountFindings() throws(RunFailure) -> [String] {
    var findings: [String] = []
    let accounts = try warehouse.fileAccounts()
    let stored = try state.files()
    for file in stored {
      let name = OneLine.text(file.name)
      let own = FileAccount(
        sha256: file.sha256, kind: file.kind.rawValue, status: file.status.rawValue,
        used: Int64(file.tally.used), duplicates: Int64(file.tally.duplicates),
        rejected: Int64(file.tally.rejected))
      guard let account = accounts.first(where: { $0.isSameFile(as: own) }) else {
        findings.append("\(name): the warehouse has no record of this file")
        continue
      }
      if account != own {
        findings.append(
          "\(name): \(own.text) in state.db, but \(account.text) in the warehouse")
      }
    }
    for account in accounts
    where !stored.contains(where: {
      $0.sha256 == account.sha256 && $0.kind.rawValue == account.kind
    }) {
      findings.append("\(account.sha256): state.db has no file with this hash")
    }
    return findings
  }

  /// Rebuilds the facts from the exports and compares them with the published facts.
  ///
  /// - Parameters:
  ///   - scratch: A private folder for the rebuilt databases.
  /// - Returns: The differences; in each, the first value is published, and the second is rebuilt.
  /// - Throws: ``RunFailure`` with status 65 if a run must come first, 66 for missing exports, and
  ///   75 if a run published in the meantime.
  package func compare(in scratch: ScratchFolder, jobs: Int, memory: MemoryBudget)
    async throws(RunFailure)
    -> FactComparison
  {
    let asOf = try requireCurrent()
    var copy = definition
    copy.statePath = FilePaths.join(scratch.path, "state.db")
    copy.warehousePath = FilePaths.join(scratch.path, "warehouse.db")
    let rebuilt = try StateDatabase.open(path: copy.statePath, create: true)
    try rebuilt.adopt(try state.removals(), at: SystemClock.now)
    try await read(into: rebuilt, scratch: scratch, jobs: jobs, memory: memory)
    try rebuilt.close()
    try StopSignal.check()
    var quiet = log
    quiet.logLevel = .critical
    try ReconstructStage(
      definition: copy, asOf: asOf,
      gatePolicy: GatePolicy(rules: copy.gates, accepted: Set(Gate.allCases)),
      throttle: WarningThrottle(stage: "verify", repeatsAll: false, now: SystemClock.now),
      workers: jobs,
      memory: memory, runStart: RunStart(time: SystemClock.now, kind: "verify"), log: quiet
    ).run()
    try StopSignal.check()
    let result = try warehouse.compare(
      with: WarehouseDatabase(path: copy.warehousePath), limit: Self.limit)
    guard try warehouse.lastRun()?.runID == published.runID else {
      throw RunFailure(
        .tryAgain,
        "a run has published other facts meanwhile; verify again when no run is in "
          + "progress")
    }
    return result
  }

  /// The largest number of differing rows whose values are listed.
  static let limit = 20

  /// Reads the files from which the facts were computed.
  ///
  /// Files that are no longer at their old paths are found by their content among the inputs.
  private func read(
    into rebuilt: StateDatabase, scratch: ScratchFolder, jobs: Int, memory: MemoryBudget
  ) async throws(RunFailure) {
    let used = try state.files().filter { $0.status == .used }
    var missing = Set(used.map { InputIdentity(sha256: $0.sha256, kind: $0.kind) })
    let run = try rebuilt.beginRun(
      RunRecord(
        kind: "verify", startedAt: SystemClock.now, programVersion: ProgramVersion.program,
        rulesVersion: ProgramVersion.rules))
    let latest = Dictionary(
      used.map { (InputIdentity(sha256: $0.sha256, kind: $0.kind), $0.latestSnapshot) },
      uniquingKeysWith: { first, _ in first })
    var tried: Set<String> = []
    let places = [
      { () in used.compactMap { Self.input($0, definition) } },
      { () in (try? FoundInputs.find(definition))?.files.filter { $0.path != "-" } ?? [] },
    ]
    for place in places where !missing.isEmpty {
      let inputs = place().filter { tried.insert("\($0.kind) \($0.path)").inserted }
      var intake = InputIntake(
        state: rebuilt, spoolFolder: scratch.path, jobs: jobs, allowEmpty: true,
        fieldMapping: definition.fieldMapping, wanted: missing, memory: memory)
      intake.latestSnapshots = latest
      let taken = try await intake.take(
        inputs, run: { () throws(RunFailure) in run }, admitting: { _ in .used })
      missing.subtract(taken.outcomes.filter { $0.result == .added }.map(\.identity))
    }
    guard missing.isEmpty else {
      let names = used.filter {
        missing.contains(InputIdentity(sha256: $0.sha256, kind: $0.kind))
      }.map { "  \(OneLine.text($0.name)) (\($0.sha256))" }.sorted()
      throw RunFailure(
        .inputMissing,
        "\(names.count) of \(used.count) files behind the facts are gone or changed, so nothing "
          + "can be rebuilt. Restore them, under any name that a pattern matches:\n"
          + names.joined(separator: "\n"))
    }
  }

  /// Returns the input for a stored file at the path where the file was first read.
  ///
  /// `nil` if that path no longer exists.
  private static func input(_ file: StoredFile, _ definition: PipelineDefinition) -> FoundInput? {
    guard let resolved = RealPath.of(definition.place(of: file.name)),
      let status = try? PathStatus(at: resolved), status.kind == .regular
    else { return nil }
    return FoundInput(
      path: file.name, resolvedPath: resolved, kind: file.kind, exportDay: file.exportDate,
      size: status.size, fieldMapping: definition.fieldMapping(of: file.name, kind: file.kind))
  }
}
