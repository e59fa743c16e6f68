internal import SharedTables
package import Diagnostics
internal import ExchangeRates
internal import PurchaseModel
internal import Reconciling
internal import Warehouse

/// Runs the gates as a filter.
///
/// Input, in any order: rows `reject` of all exports, rows `unit` of the price book, rows `tally`
/// of all tasks, and the comparison with Apple's reports.
///
/// A job runs it twice. Before the long steps it checks the exports; at the end, with rows `tally`,
/// it checks the facts too. The gate `volume_drop` compares a run with earlier runs, so a cluster's
/// job does not evaluate it.
package struct JudgeFilter {
  /// The tags of the rows that the filter writes.
  static let tags = ["coverage", "gate"]
  /// The tags of the rows that the filter reads.
  static let read: Set<String> = [
    "amount", "compared", "doubted", "other", "reject", "reported", FactSumRows.tag, "unclaimed",
    "unit", "unknown",
  ]

  private let definition: PipelineDefinition
  private let settings: ReconstructSettings
  private let files: FilterFiles
  private let gatePolicy: GatePolicy

  /// Creates the filter; the gates in `accepted` do not stop the job.
  package init(_ context: FilterContext, accepted: Set<Gate>) throws(RunFailure) {
    definition = context.definition
    settings = context.settings
    files = try context.files()
    gatePolicy = GatePolicy(rules: definition.gates, accepted: accepted)
  }

  /// The content of all rows that the filter has read.
  private struct GateInput {
    /// The rejected records and rows of each export, keyed by file id.
    var rejects: [Int64: [StoredReject]] = [:]
    var sums = FactSums()
    var prices = PriceUnitSums()
    var hasFacts = false
    /// The rows `unit` of the price book: storefronts whose unit of prices is doubtful.
    var units: [FilterRow] = []
    /// The comparison of the facts with Apple's reports, from `paidline-reconstruct reconcile`.
    var comparison = Reconciliation()
  }

  /// Reads all rows, evaluates the gates, and writes their outcomes and the coverage.
  ///
  /// Findings are logged on standard error. The row `coverage` has two percentages of chargeable
  /// rows, in hundredths of a percent: those with a known amount, and those with an exact amount.
  ///
  /// - Throws: ``RunFailure`` with status 65 if a gate stops the job.
  package func run() throws(RunFailure) {
    let gateInput = try read()
    let ofExports = try exportFindings(gateInput)
    let ofFacts = gateInput.hasFacts ? try factFindings(gateInput) : []
    let gateResult = gatePolicy.evaluate(ofExports + ofFacts)
    // The earlier check of the exports has already logged its warnings.
    for warning in gatePolicy.evaluate(gateInput.hasFacts ? ofFacts : ofExports).warnings {
      StandardError.write("paidline-reconstruct judge: \(warning.text(isStop: false))\n")
    }
    for fault in AppleReportGates.faults(gateInput.comparison) {
      StandardError.write("paidline-reconstruct judge: \(fault.message)\n")
    }
    if let failure = gateResult.failure { throw failure }
    let output = FilterOutput(Self.tags)
    for outcome in gateResult.outcomes {
      try output.row(
        "gate", .word(outcome.gate.rawValue), .word(outcome.severity.rawValue),
        .text(Array(outcome.subject.utf8)), .text(Array(outcome.found.utf8)),
        .text(Array(outcome.expected.utf8)))
    }
    try output.row(
      "coverage", .number(gateInput.sums.coverage.map(Int64.init)),
      .number(gateInput.sums.exact.map(Int64.init)))
    try output.finish()
  }

  private func read() throws(RunFailure) -> GateInput {
    var gateInput = GateInput()
    var input = FilterInput.standard(Self.read, isSorted: false)
    while var row = try input.next() {
      switch row.tag {
      case FactSumRows.tag:
        try FactSumRows.read(&row, into: &gateInput.sums)
        gateInput.hasFacts = true
      case "amount", "reported", "unclaimed":
        try FactSumRows.read(&row, into: &gateInput.prices)
      case ComparedRow.tag:
        let compared = try row.read(ComparedRow.self)
        gateInput.comparison.add(compared.sum, to: compared.cell, cause: compared.cause)
      case DoubtedRow.tag:
        gateInput.comparison.doubts.add(try row.read(DoubtedRow.self))
      case "other":
        let product = String(decoding: try row.requiredText(), as: UTF8.self)
        gateInput.comparison.others.products.insert(product)
        gateInput.comparison.others.lines += Int(try row.number())
      case "unit": gateInput.units.append(row)
      case "unknown":
        let appleID = try row.name() ?? ""
        gateInput.comparison.unknownNumbers[appleID, default: 0] += Int(try row.number())
      default:
        let read = try row.read(RejectRow.self)
        let file = Int64(try files.position(of: read.file, in: row)) + 1
        gateInput.rejects[file, default: []].append(
          StoredReject(
            fileID: file, line: read.line, reasonCode: read.reason, detail: read.detail))
      }
    }
    return gateInput
  }

  private func exportFindings(_ gateInput: GateInput) throws(RunFailure) -> [GateFinding] {
    let stored = files.accounts
    let rejects: RejectExamples.Source = { (files) throws(RunFailure) in
      var examples = RejectExamples()
      for file in files {
        let rejects = gateInput.rejects[file.id, default: []].sorted {
          ($0.line, $0.reasonCode) < ($1.line, $1.reasonCode)
        }
        for reject in rejects { examples.add(reject, ofFile: file.name) }
      }
      return examples
    }
    var findings: [GateFinding] = []
    let share = RejectedShareGate(gatePolicy.rules)
    for kind in InputFile.Kind.allCases {
      let files = stored.filter { $0.kind == kind }
      findings += try NoUsableRecordGate.findings(files, rejects: rejects)
      findings += [try share.finding(files, of: kind, rejects: rejects)].compactMap(\.self)
    }
    // An Apple report without a line is not an error: nothing was sold on that day.
    let empty = stored.filter { $0.tally.records == 0 && $0.kind != .appleReports }.map(\.name)
    findings += [EmptyFileGate.finding(empty)].compactMap(\.self)
    return findings
      + MissingDayGate.findings(stored, completeAfterDays: gatePolicy.rules.completeAfterDays)
  }

  private func factFindings(_ gateInput: GateInput) throws(RunFailure) -> [GateFinding] {
    var symbols = SymbolTable()
    for text in settings.texts { _ = symbols.intern(text) }
    var ambiguous: [String: Int] = [:]
    for (key, count) in gateInput.sums.counts(named: FactSumRows.ambiguous) {
      ambiguous[key.productID ?? ""] = count
    }
    var findings = FactFindings(
      definition: definition, gatePolicy: gatePolicy,
      newFiles: files.accounts.map { ($0.id, $0.name) },
      doubtedUnits: try PriceBookRows(rows: gateInput.units).doubtedUnits,
      hasListedPrices: settings.catalogue.catalogue(in: symbols.sorted().table).hasPrices,
      hasPlaceholderIDs: gateInput.sums[FactSumRows.placeholderIDs] > 0,
      reporting: settings.reporting?.currency
    ).all(gateInput.sums, gateInput.prices, ambiguous: ambiguous)
    if gatePolicy.rules[.unexplainedShare] != .off {
      let gate = UnexplainedShareGate(perMillion: gatePolicy.rules.unexplainedPerMillion)
      if var finding = gate.finding(gateInput.comparison, warehousePath: definition.warehousePath) {
        finding.remedy = "Read the rows of audit_reconciliation whose cause is unexplained."
        findings.append(finding)
      }
    }
    var doubts = gateInput.comparison.doubts
    doubts.differing.sort { $0.place < $1.place }
    doubts.implausible.sort()
    findings += ReportDoubtGates(rules: gatePolicy.rules).findings(doubts)
    // There is no warehouse.
    for place in findings.indices { findings[place].query = nil }
    return findings
  }
}

extension ReportDoubts {
  fileprivate mutating func add(_ row: DoubtedRow) {
    guard let sales = row.salesUnits, let subscribers = row.subscriberUnits else {
      return implausible.append(row.place)
    }
    differing.append(
      Difference(
        place: row.place, days: [row.place.day], salesUnits: sales, subscriberUnits: subscribers))
  }
}
