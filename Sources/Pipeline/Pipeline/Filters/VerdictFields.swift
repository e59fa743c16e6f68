internal import Amounts
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel

extension FilterField {
  /// The verdict on a price report as the fields that follow the evidence id in a row `verdict`.
  static func verdict(_ reportVerdict: ReportVerdict) -> [FilterField] {
    [
      .word(reportVerdict.verdict.rawValue), .number(reportVerdict.reference?.rawValue),
      .name(reportVerdict.place?.code), .flag(reportVerdict.isConfirmed),
      .flag(reportVerdict.isOutnumbered),
      .number(reportVerdict.outvoting?.priceInForce.rawValue),
      .number(reportVerdict.outvoting.map { Int64($0.inForce) }),
      .number(reportVerdict.outvoting.map { Int64($0.same) }), .number(reportVerdict.distrustedFor),
    ] + FilterField.instalment(reportVerdict.instalment)
  }
}

extension FilterRow {
  /// Reads the next fields as the verdict on a price report.
  mutating func reportVerdict() throws(RunFailure) -> ReportVerdict {
    guard let verdict = Verdict(rawValue: try word()) else { throw failure("a verdict") }
    let reference = try optionalNumber().map(Milliunits.init)
    var reportVerdict = ReportVerdict(place: try storefront())
    (reportVerdict.verdict, reportVerdict.reference) = (verdict, reference)
    reportVerdict.isConfirmed = try flag()
    reportVerdict.isOutnumbered = try flag()
    let price = try optionalNumber()
    let (inForce, same) = (try optionalNumber(), try optionalNumber())
    if let price, let inForce = inForce.flatMap({ Int32(exactly: $0) }),
      let same = same.flatMap({ Int32(exactly: $0) })
    {
      reportVerdict.outvoting = ReportVerdict.Outvoting(
        by: inForce, for: Milliunits(price), against: same)
    }
    reportVerdict.distrustedFor = try optionalNumber()
    reportVerdict.instalment = try instalment()
    return reportVerdict
  }
}
