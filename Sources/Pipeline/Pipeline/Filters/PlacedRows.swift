internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import StateStore

/// All placed reports of a run as rows, which learning holds.
struct PlacedRows {
  /// The tags of the output's rows.
  static let tags = ["placed", "signed", "signed-price"]

  /// A report as it was read.
  private struct Row {
    var evidenceID: Int64
    var voter: Voter
    var payload: [UInt8]
  }

  /// The reports, and then the signed prices, in the order of evidence ids.
  private var rows: [Row] = []
  /// Whether a price is signed anywhere.
  private var isSigned = false

  /// The result of learning from the rows.
  struct LearnedPrices {
    /// Learned from all evidence.
    var prices: PriceBook
    /// Learned only from the reports; `nil` if nothing is signed.
    var unsigned: PriceBook?
    /// The reports, by evidence id.
    var reports: [PlacedReport]
  }

  /// Writes a report, packed.
  static func write(
    _ report: PlacedReport, isOfPlaceholder: Bool, _ payload: [UInt8], to output: FilterOutput
  ) throws(RunFailure) {
    try output.row(
      report.isSigned ? "signed" : "placed", .key(report.evidenceID),
      .number(isOfPlaceholder ? nil : report.voter.rawValue), .packed(payload))
  }

  /// Adds the next row, in the order of the bytes.
  mutating func add(_ row: consuming FilterRow) throws(RunFailure) {
    guard row.tag != "signed-price" else { return isSigned = true }
    let (id, voter) = (try row.key(), try row.optionalNumber())
    rows.append(
      Row(
        evidenceID: id,
        voter: voter.map(Voter.init) ?? GatheredHouseholds.voterWithoutHousehold(id),
        payload: try row.packed()))
  }

  /// Adds the texts that the rows name.
  func intern(into table: inout SymbolTable) throws(RunFailure) {
    for row in rows { try GatheredReader.intern(row.payload, into: &table) }
  }

  /// Learns prices.
  ///
  /// - Parameters:
  ///   - table: A table that holds the texts.
  ///   - catalogue: The prices and price changes known from App Store Connect.
  ///   - times: The times in which reports can have been made.
  ///   - workers: The number of threads; the result does not depend on it.
  /// - Returns: The price books and the reports, with the table's symbols.
  /// - Throws: ``RunFailure`` for a row that is not a placed report.
  consuming func lesson(
    in table: inout SymbolTable, catalogue: Catalogue, times: SaleTimes, workers: Int
  ) throws(RunFailure) -> LearnedPrices {
    var (reports, signed) = ([PlacedReport](), [PlacedReport]())
    var offers = OfferLists()
    var reader = GatheredReader(asOf: nil)
    for row in rows {
      var report = try reader.placed(
        row.payload, evidenceID: row.evidenceID, offers: &offers, in: &table)
      report.voter = row.voter
      if report.isSigned { signed.append(report) } else { reports.append(report) }
    }
    return LearnedPrices(
      prices: learnPrices(
        from: reports + signed, offers: offers, catalogue: catalogue, times: times,
        workers: workers),
      unsigned: isSigned
        ? learnPrices(
          from: reports, offers: offers, catalogue: catalogue, times: times, workers: workers)
        : nil,
      reports: reports)
  }
}
