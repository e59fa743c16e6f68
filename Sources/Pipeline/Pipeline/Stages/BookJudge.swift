internal import StateStore
internal import AppleReports
internal import Diagnostics
internal import Reconciling
internal import Synchronization
internal import Warehouse

/// Judges the comparison with Apple's reports right before facts become visible, and keeps the
/// warnings.
final class BookJudge: Sendable {
  private struct Found: Sendable {
    var judgement = GateJudgement()
    var unknownNumbers: [String: Int] = [:]
  }

  private let bench: GateBench
  private let warehousePath: String
  private let found = Mutex(Found())

  /// Prepares to judge.
  init(bench: GateBench, warehousePath: String) {
    self.bench = bench
    self.warehousePath = warehousePath
  }

  /// The judgement of the gate; empty before it was asked.
  var judgement: GateJudgement { found.withLock { $0.judgement } }

  /// The warnings to tell once the facts are published.
  var faults: [FaultTelling.Found] {
    found.withLock { found in
      found.judgement.warnings.map(FaultTelling.Found.init)
        + [Self.unknownNumbers(found.unknownNumbers)].compactMap(\.self)
    }
  }

  /// Judges a comparison.
  ///
  /// - Returns: The findings for `audit_gate`.
  /// - Throws: ``RunFailure`` with 65 if publishing is not allowed.
  func judge(_ reconciliation: Reconciliation) throws(RunFailure) -> [GateOutcome] {
    let gate = UnexplainedShareGate(perMillion: bench.rules.unexplainedPerMillion)
    let finding =
      bench.rules[.unexplainedShare] == .off
      ? nil : gate.finding(reconciliation, warehousePath: warehousePath)
    let judgement = bench.judge([finding].compactMap(\.self))
    found.withLock {
      $0.judgement = judgement
      $0.unknownNumbers = reconciliation.unknownNumbers
    }
    if let failure = judgement.failure { throw failure }
    return judgement.outcomes
  }

  /// Reports Apple IDs without a product; `nil` if there are none.
  static func unknownNumbers(_ numbers: [String: Int]) -> FaultTelling.Found? {
    let order = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard let first = order.first else { return nil }
    let lines = numbers.values.reduce(0, +)
    let more = order.count > 1 ? " and \(order.count - 1) more" : ""
    return FaultTelling.Found(
      fault: "unknown_apple_ids",
      message: """
        \(Count.text(lines, "line")) of Apple's reports name a product by its Apple ID alone \
        (\(OneLine.text(first.key))\(more)), and are left out: list Sales reports under \
        inputs.apple_reports too, or write apple_id into the catalogue. \(DocsPage.books.reference)
        """, duration: .standing)
  }
}

extension AppleReportSource {
  /// The reports in state.db; `nil` if no file was read.
  ///
  /// - Parameters:
  ///   - state: The working database.
  ///   - appleIDs: The catalogue's Apple IDs.
  ///   - judge: The judge of the comparison.
  /// - Throws: ``RunFailure`` when reading fails.
  init?(of state: StateDatabase, appleIDs: [String: String], judge: BookJudge) throws(RunFailure) {
    let files = try state.reportFiles()
    guard !files.isEmpty else { return nil }
    self.init(
      files: files, numbers: try state.productNumbers(catalogue: appleIDs),
      forEachLine: { body throws(RunFailure) in try state.forEachReportLine(body) },
      judge: { result throws(RunFailure) in try judge.judge(result) })
  }
}
