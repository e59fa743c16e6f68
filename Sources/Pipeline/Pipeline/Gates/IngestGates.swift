internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// The gates that check input files, new and old.
struct IngestGates {
  let definition: PipelineDefinition
  let gatePolicy: GatePolicy
  let state: StateDatabase

  /// The files that this run found on disk, and their outcomes.
  struct Context {
    /// The number of the current run; `nil` if it has not begun.
    var run: Int64?
    /// The outcome of every found file.
    var outcomes: [InputOutcome]
    /// The files that earlier runs refused, held or did not use for another reason, and that this
    /// backfill leaves out because they are outside its window.
    var outside: Set<InputIdentity> = []
    /// The names that match a pattern, but must not be opened.
    var refusals: [RefusedName]
    /// The day on which the run began.
    var today: CivilDay
    /// The files that this run found on disk.
    var files: [FoundInput] = []

    /// The contents that are currently on disk.
    var standing: Set<InputIdentity> { Set(outcomes.map(\.identity)).union(outside) }

    /// The contents that the run read.
    var read: Set<InputIdentity> {
      Set(outcomes.filter { $0.result == .added }.map(\.identity))
    }
  }

  /// The findings of the gates, and the held files that may now be used.
  struct Findings {
    var findings: [GateFinding] = []
    /// The ids in state.db of held files that may now be used, because no gate stops them any more.
    var admitted: [Int64] = []
  }

  private var entries: EntryGroups { EntryGroups(definition: definition) }
  private var otherExports: OtherExportsGate {
    OtherExportsGate(definition: definition, state: state)
  }
  private var shrunkTable: ShrunkTableGate {
    ShrunkTableGate(perMillion: gatePolicy.rules.tablePerMillion)
  }

  /// The whole tables that the gate `shrunk_table` finds; none if it is off.
  private func shrunkTables(_ contents: ReplacedContents) -> [ShrunkTableGate.Table] {
    gatePolicy.rules[.shrunkTable] == .off ? [] : shrunkTable.shrunk(contents.waiting)
  }

  /// Returns true if files that are read together must be held.
  ///
  /// Held files are not part of the facts until they are checked again.
  func holds(_ step: IntakeStep) throws(RunFailure) -> Bool {
    let files = step.files
    if gatePolicy.stops(.noUsableRecord) {
      if files.contains(where: \.tally.hasNoUsableRecord) { return true }
      if try otherExports.holds(step) { return true }
    }
    // Also where the run does not stop: replaced content would be gone before it is compared.
    if let contents = step.contents, !shrunkTables(contents).isEmpty { return true }
    if gatePolicy.stops(.unnamedFormat), files.contains(where: \.hasUnnamedFormat) { return true }
    let gate = RejectedShareGate(gatePolicy.rules)
    return gatePolicy.stops(.rejectedShare)
      && InputFile.Kind.allCases.contains { kind in
        gate.isExceeded(files.filter { $0.kind == kind }.map(\.tally))
      }
  }

  /// Evaluates all gates that check input files.
  func findings(_ context: Context) throws(RunFailure) -> Findings {
    let stored = try state.files()
    let standing = context.standing
    let files = stored.filter { standing.contains($0.identity) }
    var result = Findings()
    result.findings += RefusedFileGate.findings(
      files.filter { $0.status == .refused }, names: context.refusals, entries: entries)
    let contents = ReplacedContents(context.files, context.outcomes, stored)
    let others = try otherExports.found(
      context.outcomes, stored, replaced: contents.replaced)
    let tables = shrunkTables(contents)
    var kept = leftToNextRun(context, stored)
    if gatePolicy.stops(.noUsableRecord) { kept.formUnion(others.map(\.file.identity)) }
    if gatePolicy.stops(.shrunkTable) { kept.formUnion(tables.map(\.identity)) }
    try checkContents(files, keeping: kept, context: context, into: &result)
    result.findings += otherExports.findings(others) + shrunkTable.findings(tables)
    let isEmpty = { (file: StoredFile) in
      file.status == .used && file.tally.records == 0 && file.kind != .appleReports
    }
    let empty =
      context.outcomes.filter { $0.result == .empty }.map(\.path)
      + files.filter { isEmpty($0) && context.read.contains($0.identity) }.map(\.name)
    result.findings += [EmptyFileGate.finding(empty)].compactMap(\.self)
    let gate = VolumeDropGate(perMillion: gatePolicy.rules.volumePerMillion)
    let drops = gate.drops(in: stored, published: try lastPublication(), today: context.today)
    result.findings +=
      [gate.finding(drops, statePath: definition.statePath)].compactMap(\.self)
      + MissingDayGate.findings(stored, completeAfterDays: gatePolicy.rules.completeAfterDays)
    result.findings += SandboxReceipts.findings(context.outcomes)
    let events = OtherEventsGate(definition: definition, state: state)
    result.findings += try events.findings(context.outcomes, stored)
    return result
  }

  /// The held files outside of a backfill's window that only a run over all files can decide.
  private func leftToNextRun(_ context: Context, _ stored: [StoredFile]) -> Set<InputIdentity> {
    let files = stored.filter { context.outside.contains($0.identity) }
    return Set(
      files.filter {
        $0.kind == .exports || definition.entry(of: $0.name, kind: $0.kind)?.replaces == true
      }.map(\.identity))
  }

  /// Checks the contents of new and held files.
  ///
  /// Files are checked together if they are of one kind and were read in one run. The files in
  /// `kept` stay held.
  private func checkContents(
    _ files: [StoredFile], keeping kept: Set<InputIdentity>, context: Context,
    into result: inout Findings
  ) throws(RunFailure) {
    struct Group: Hashable {
      var run: Int64
      var kind: InputFile.Kind
    }
    let read = context.read
    var groups: [Group: [StoredFile]] = [:]
    for file in files where file.status == .held || read.contains(file.identity) {
      guard file.status == .held || file.status == .used else { continue }
      let run = read.contains(file.identity) ? context.run ?? file.firstRunID : file.firstRunID
      groups[Group(run: run, kind: file.kind), default: []].append(file)
    }
    let gate = RejectedShareGate(gatePolicy.rules)
    let order = groups.keys.sorted { ($0.run, $0.kind.rawValue) < ($1.run, $1.kind.rawValue) }
    for group in order {
      let files = groups[group] ?? []
      let rejects: RejectExamples.Source = { (files) throws(RunFailure) in
        try RejectExamples.read(of: files, in: state)
      }
      var found =
        group.kind == .prices
        ? try UnnamedFormatGate.findings(files, entries: entries, rejects: rejects) : []
      let named = Set(found.flatMap(\.items).map(\.subject))
      found += try NoUsableRecordGate.findings(
        files.filter { !named.contains($0.name) }, entries: entries, rejects: rejects)
      if let finding = try gate.finding(files, of: group.kind, rejects: rejects) {
        found.append(finding)
      }
      for index in found.indices {
        found[index].query = GateQuery(
          database: definition.statePath, sql: StateQuery.heldRejects)
      }
      if !found.contains(where: gatePolicy.stops) {
        result.admitted += files.filter { $0.status == .held && !kept.contains($0.identity) }
          .map(\.id)
      }
      result.findings += found
    }
  }

  private func lastPublication() throws(RunFailure) -> VolumeDropGate.Publication? {
    let last = try state.lastPublication()
    guard last > 0 else { return nil }
    // A run that is missing in this state.db belonged to another state.db. Its export days ended
    // long ago.
    let day = try state.runs().first { $0.id == last }?.startedAt.day
    return VolumeDropGate.Publication(runID: last, day: day ?? Instant.distantFuture.day)
  }
}

/// Reports new files in which most responses have status 21007: Apple's sign of a sandbox receipt.
enum SandboxReceipts {
  /// Returns one finding with all new files in which most responses have status 21007.
  static func findings(_ outcomes: [InputOutcome]) -> [GateFinding] {
    let mostly = outcomes.filter {
      $0.result == .added && $0.records > 0 && $0.notices.sandboxReceipts * 2 > $0.records
    }
    guard let first = mostly.first else { return [] }
    let others = mostly.count > 1 ? " and \(Count.text(mostly.count - 1, "more file"))" : ""
    var finding = GateFinding(
      .uselessResult,
      mostly.map { outcome in
        GateFinding.Item(
          subject: outcome.path,
          found:
            "\(outcome.notices.sandboxReceipts) of \(outcome.records) responses with status 21007",
          expected: "receipts of production")
      },
      message: "most responses in \(OneLine.text(first.path))\(others) have status 21007: sandbox "
        + "receipts were sent to production, so these responses hold no purchase.",
      fault: "useless_result sandbox")
    finding.duration = .standing
    finding.page = .rejects
    return [finding]
  }
}

extension StoredFile {
  /// The identity of the file: its content and its kind.
  var identity: InputIdentity { InputIdentity(sha256: sha256, kind: kind) }
}
