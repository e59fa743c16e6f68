internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel
internal import StateStore

/// The placed reports of a run, from which prices are learned; kept in memory as packed rows.
struct PlacedRows {
  /// The tags of the rows that `place` writes.
  static let tags = ["placed", "signed"]

  /// A placed report, or the vote of a signed price.
  private struct Row: CodedRow {
    static let tag = "placed"
    var evidenceID: Int64 = 0
    /// `nil` if the report belongs to no household.
    var voter: Int64?
    var payload: [UInt8] = []

    mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
      try coder.code("evidence_id", key: &evidenceID)
      try coder.code("voter", &voter)
      try coder.code("payload", packed: &payload)
    }
  }

  /// The rows: first the reports, then the signed prices, each sorted by evidence id.
  private var rows: [Row] = []

  /// Writes a placed report as a row `placed`, or the vote of a signed price as a row `signed`.
  ///
  /// If `isOfPlaceholder` is true, the report belongs to no household; its row has no voter.
  static func write(
    _ report: PlacedReport, isOfPlaceholder: Bool, _ payload: [UInt8], to output: FilterOutput
  ) throws(RunFailure) {
    let row = Row(
      evidenceID: report.evidenceID, voter: isOfPlaceholder ? nil : report.voter.rawValue,
      payload: payload)
    try output.row(report.isSigned ? "signed" : Row.tag, FilterField.fields(row))
  }

  /// Adds a row; the rows must be added in the order of their bytes.
  mutating func add(_ row: consuming FilterRow) throws(RunFailure) {
    rows.append(try row.read(Row.self))
  }

  /// Adds the texts in the packed rows to a table.
  func intern(into table: inout SymbolTable) throws(RunFailure) {
    for row in rows { try GatheredReader.intern(row.payload, into: &table) }
  }

  /// Learns the prices from all rows.
  ///
  /// - Parameters:
  ///   - times: The first sale of each product and the as-of time, which limit the possible times
  ///     of a report; see ``SaleTimes``.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Returns: The prices, and the reports sorted by evidence id.
  consuming func learn(
    in table: inout SymbolTable, catalogue: Catalogue, times: SaleTimes, workers: Int
  ) throws(RunFailure) -> (prices: PriceBook, reports: [PlacedReport]) {
    var (reports, signed) = ([PlacedReport](), [PlacedReport]())
    var offers = OfferLists()
    var reader = GatheredReader(asOf: nil)
    for row in rows {
      var report = try reader.placed(
        row.payload, evidenceID: row.evidenceID, offers: &offers, in: &table)
      report.voter =
        row.voter.map(Voter.init) ?? GatheredHouseholds.voterWithoutHousehold(row.evidenceID)
      if report.isSigned { signed.append(report) } else { reports.append(report) }
    }
    let prices = learnPrices(
      from: reports + signed, offers: offers, catalogue: catalogue, times: times,
      workers: workers)
    return (prices, reports)
  }
}
