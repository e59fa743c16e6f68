internal import StateStore
internal import AppleReports
internal import Diagnostics
internal import Reconciling
internal import Warehouse

/// The gates on the comparison with Apple's reports, which are evaluated just before facts become
/// visible.
struct AppleReportGates: Sendable {
  let gatePolicy: GatePolicy
  let warehousePath: String
  let evaluated = EvaluatedGates()

  /// Evaluates the gates on a comparison.
  ///
  /// - Throws: ``RunFailure`` with status 65 if the facts must not be published.
  func evaluate(_ reconciliation: Reconciliation, of files: [AppleReportFile])
    throws(RunFailure) -> [GateOutcome]
  {
    let gate = UnexplainedShareGate(perMillion: gatePolicy.rules.unexplainedPerMillion)
    let finding =
      gatePolicy.rules[.unexplainedShare] == .off
      ? nil : gate.finding(reconciliation, warehousePath: warehousePath)
    let missing =
      gatePolicy.rules[.missingReportDay] == .off ? nil : MissingReportDayGate.finding(files)
    let gateResult = gatePolicy.evaluate(
      [finding, missing].compactMap(\.self)
        + ReportDoubtGates(rules: gatePolicy.rules).findings(reconciliation.doubts))
    return try evaluated.keep(gateResult, others: Self.faults(reconciliation))
  }

  /// Finds the faults that no gate checks: unknown Apple IDs, and lines of other apps.
  static func faults(_ reconciliation: Reconciliation) -> [WarningThrottle.Found] {
    [unknownNumbers(reconciliation.unknownNumbers), others(reconciliation.others)]
      .compactMap(\.self)
  }

  /// The identity of the fault that Apple's reports have lines of other apps.
  ///
  /// This fault is printed only once.
  static let otherProducts = "other_products"

  /// Returns a finding about lines of other apps; `nil` if there are none.
  private static func others(_ others: Reconciliation.OtherProducts) -> WarningThrottle.Found? {
    guard let first = others.products.min() else { return nil }
    let more = others.products.count > 1 ? " and \(others.products.count - 1) more" : ""
    return WarningThrottle.Found(
      fault: otherProducts,
      message: """
        \(Count.text(others.lines, "line")) of Apple's reports belong to apps without a known \
        purchase or catalogue product (\(OneLine.text(first))\(more)): these lines are listed as \
        other_products and not compared. If such an app belongs to this pipeline, add its products \
        to the catalogue. \(DocsPage.books.reference)
        """, duration: .onceForAll)
  }

  /// Returns a finding about Apple IDs without a known product; `nil` if there are none.
  private static func unknownNumbers(_ numbers: [String: Int]) -> WarningThrottle.Found? {
    let order = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard let first = order.first else { return nil }
    let lines = numbers.values.reduce(0, +)
    let more = order.count > 1 ? " and \(order.count - 1) more" : ""
    return WarningThrottle.Found(
      fault: "unknown_apple_ids",
      message: """
        ignored \(Count.text(lines, "line")) of Apple's reports, because the Apple IDs of the \
        products are unknown (\(OneLine.text(first.key))\(more)): list Sales reports under \
        inputs.apple_reports too, or add the Apple IDs to the products of the catalogue. \
        \(DocsPage.books.reference)
        \(order.prefix(20).map { "  apple_id: \(OneLine.text($0.key))" }.joined(separator: "\n"))
        """, duration: .standing)
  }
}

extension AppleReportSource {
  /// Creates the source of Apple's reports from state.db.
  init(
    _ appleReports: ReconciledReports, of state: StateDatabase, settings: ReconstructSettings,
    gates: AppleReportGates
  ) throws(RunFailure) {
    let files = try state.reportFiles()
    self.init(
      files: files, appleReports: appleReports,
      forEachLine: { files, body throws(RunFailure) in
        try state.forEachReportLine(of: files, body)
      },
      evaluateGates: { result throws(RunFailure) in try gates.evaluate(result, of: files) })
    catalogue = settings.catalogue.productIDs
    customerKey = settings.customerKey
  }
}
