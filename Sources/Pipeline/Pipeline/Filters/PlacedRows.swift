internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel
internal import StateStore

/// The placed reports of a run, from which prices are learned; kept in memory as packed rows.
struct PlacedRows {
  /// The tags of the rows that `place` writes.
  static let tags = ["placed", "signed"]

  /// A placed report, or the vote of a signed price, as read from the input.
  private struct Row {
    var evidenceID: Int64
    var voter: Voter
    var payload: [UInt8]
  }

  /// The rows: first the reports, then the signed prices, each sorted by evidence id.
  private var rows: [Row] = []

  /// Writes a placed report as a row `placed`, or the vote of a signed price as a row `signed`.
  ///
  /// If `isOfPlaceholder` is true, the report belongs to no household; its row has no voter.
  static func write(
    _ report: PlacedReport, isOfPlaceholder: Bool, _ payload: [UInt8], to output: FilterOutput
  ) throws(RunFailure) {
    try output.row(
      report.isSigned ? "signed" : "placed", .key(report.evidenceID),
      .number(isOfPlaceholder ? nil : report.voter.rawValue), .packed(payload))
  }

  /// Adds a row; the rows must be added in the order of their bytes.
  mutating func add(_ row: consuming FilterRow) throws(RunFailure) {
    let (id, voter) = (try row.key(), try row.optionalNumber())
    rows.append(
      Row(
        evidenceID: id,
        voter: voter.map(Voter.init) ?? GatheredHouseholds.voterWithoutHousehold(id),
        payload: try row.packed()))
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
      report.voter = row.voter
      if report.isSigned { signed.append(report) } else { reports.append(report) }
    }
    let prices = learnPrices(
      from: reports + signed, offers: offers, catalogue: catalogue, times: times,
      workers: workers)
    return (prices, reports)
  }
}
