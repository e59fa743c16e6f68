internal import Amounts
internal import Diagnostics
internal import PriceLearning
internal import PurchaseModel

/// The judgements on a report: a row `judged`, which travels to the households that the report
/// concerns.
struct JudgedReport {
  /// Learned from all evidence.
  var all: Judgement
  /// With signed prices hidden; `nil` if no price is signed.
  var unsigned: Judgement?

  /// The fields of the judgements.
  var fields: [FilterField] { Self.fields(all) + (unsigned.map(Self.fields) ?? []) }

  private static func fields(_ judgement: Judgement) -> [FilterField] {
    [
      .word(judgement.verdict.rawValue), .number(judgement.reference?.rawValue),
      .name(judgement.place?.code), .flag(judgement.isConfirmed),
      .number(judgement.outvoting?.priceInForce.rawValue),
      .number(judgement.outvoting.map { Int64($0.inForce) }),
      .number(judgement.outvoting.map { Int64($0.same) }), .number(judgement.distrustedFor),
    ]
  }

  /// Reads the rest of a row.
  init(_ row: inout FilterRow) throws(RunFailure) {
    all = try Self.judgement(&row)
    unsigned = row.hasField ? try Self.judgement(&row) : nil
  }

  init(all: Judgement, unsigned: Judgement?) {
    self.all = all
    self.unsigned = unsigned
  }

  private static func judgement(_ row: inout FilterRow) throws(RunFailure) -> Judgement {
    guard let verdict = Verdict(rawValue: try row.word()) else { throw row.failure("a verdict") }
    let reference = try row.optionalNumber().map(Milliunits.init)
    var judgement = Judgement(place: try row.storefront())
    (judgement.verdict, judgement.reference) = (verdict, reference)
    judgement.isConfirmed = try row.flag()
    let price = try row.optionalNumber()
    let (inForce, same) = (try row.optionalNumber(), try row.optionalNumber())
    if let price, let inForce = inForce.flatMap({ Int32(exactly: $0) }),
      let same = same.flatMap({ Int32(exactly: $0) })
    {
      judgement.outvoting = Judgement.Outvoting(
        by: inForce, for: Milliunits(price), against: same)
    }
    judgement.distrustedFor = try row.optionalNumber()
    return judgement
  }
}
