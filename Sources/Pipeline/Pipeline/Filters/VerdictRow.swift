internal import Amounts
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel

/// The verdicts on a price report, as a row `judged`.
///
/// The row is part of the input of each household that needs the report.
struct VerdictRow {
  /// The verdict based on all evidence.
  var all: ReportVerdict
  /// The verdict if signed prices are ignored; `nil` if no price is signed.
  var unsigned: ReportVerdict?

  /// The fields of both verdicts, which follow the evidence id in the row.
  var fields: [FilterField] { Self.fields(all) + (unsigned.map(Self.fields) ?? []) }

  private static func fields(_ reportVerdict: ReportVerdict) -> [FilterField] {
    [
      .word(reportVerdict.verdict.rawValue), .number(reportVerdict.reference?.rawValue),
      .name(reportVerdict.place?.code), .flag(reportVerdict.isConfirmed),
      .number(reportVerdict.outvoting?.priceInForce.rawValue),
      .number(reportVerdict.outvoting.map { Int64($0.inForce) }),
      .number(reportVerdict.outvoting.map { Int64($0.same) }), .number(reportVerdict.distrustedFor),
    ] + FilterField.instalment(reportVerdict.instalment)
  }

  /// Reads the verdicts from the fields that follow the evidence id.
  init(_ row: inout FilterRow) throws(RunFailure) {
    all = try Self.reportVerdict(&row)
    unsigned = row.hasField ? try Self.reportVerdict(&row) : nil
  }

  init(all: ReportVerdict, unsigned: ReportVerdict?) {
    self.all = all
    self.unsigned = unsigned
  }

  private static func reportVerdict(_ row: inout FilterRow) throws(RunFailure) -> ReportVerdict {
    guard let verdict = Verdict(rawValue: try row.word()) else { throw row.failure("a verdict") }
    let reference = try row.optionalNumber().map(Milliunits.init)
    var reportVerdict = ReportVerdict(place: try row.storefront())
    (reportVerdict.verdict, reportVerdict.reference) = (verdict, reference)
    reportVerdict.isConfirmed = try row.flag()
    let price = try row.optionalNumber()
    let (inForce, same) = (try row.optionalNumber(), try row.optionalNumber())
    if let price, let inForce = inForce.flatMap({ Int32(exactly: $0) }),
      let same = same.flatMap({ Int32(exactly: $0) })
    {
      reportVerdict.outvoting = ReportVerdict.Outvoting(
        by: inForce, for: Milliunits(price), against: same)
    }
    reportVerdict.distrustedFor = try row.optionalNumber()
    reportVerdict.instalment = try row.instalment()
    return reportVerdict
  }
}
