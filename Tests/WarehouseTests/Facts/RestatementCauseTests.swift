@testable import SharedTables
import CivilTime
import PaidAmounts
import Testing

@testable import Warehouse

@Suite struct `The cause of a restatement` {
  private static let paid = RestatedRow(
    day: "2021-05-08", currency: "USD", paid: 9_990, isRefunded: false, refunded: 0,
    isConflict: false,
    quantity: 1)

  private static func row(_ change: (inout RestatedRow) -> Void) -> RestatedRow {
    var row = paid
    change(&row)
    return row
  }

  private static let cheaper = row { $0.paid = 8_990 }

  private static func evidence(
    _ rule: PriceRule, isReportNew: Bool = false, isObservationNew: Bool = false
  ) -> RestatedEvidence {
    RestatedEvidence(rule: rule, isReportNew: isReportNew, isObservationNew: isObservationNew)
  }

  private static let inputs = RunDifference(hasOtherInputs: true)

  /// All differences occur at once, so only the row's own evidence determines the cause.
  private static let all = RunDifference(
    hasOtherInputs: true, hasOtherRules: true, hasOtherCatalogue: true, hasOtherRates: true,
    hasOtherSettings: true)

  @Test(arguments: [
    (RunDifference(), RestatementCause.maturity),
    (RunDifference(hasOtherRates: true), .rates),
    (RunDifference(hasOtherSettings: true), .settings),
    (RunDifference(hasOtherCatalogue: true), .catalogue),
    (RunDifference(hasOtherRules: true, hasOtherCatalogue: true), .ruleChange),
    (inputs, .priceHistory), (all, .ruleChange),
  ])
  func `of an amount of the price history is what differs between the runs`(
    difference: RunDifference, cause: RestatementCause
  ) {
    #expect(
      RestatementCause.ofChange(
        from: Self.paid, to: Self.cheaper, evidence: Self.evidence(.priceHistory),
        difference: difference) == cause)
  }

  @Test(arguments: [
    (evidence(.reportedWithPurchase, isReportNew: true), RestatementCause.latePrice),
    (evidence(.customerReport, isReportNew: true), .latePrice),
    (evidence(.customerReport, isObservationNew: true), .lateReceipt),
    (evidence(.reportedWithPurchase), .ruleChange), (evidence(.cataloguePrice), .catalogue),
    (evidence(.catalogueOffer), .catalogue), (evidence(.freeTrial), .lateReceipt),
    (evidence(.conflict), .conflict), (evidence(.unresolved), .ruleChange),
  ])
  func `of an amount is told by its evidence where several things differ`(
    evidence: RestatedEvidence, cause: RestatementCause
  ) {
    #expect(
      RestatementCause.ofChange(
        from: Self.paid, to: Self.cheaper, evidence: evidence, difference: Self.all) == cause)
  }

  @Test func `of a row that comes, goes or moves is a late receipt`() {
    let seen = Self.evidence(.priceHistory, isObservationNew: true)
    let known = Self.evidence(.priceHistory)
    func cause(
      _ old: RestatedRow?, _ new: RestatedRow?, _ evidence: RestatedEvidence?,
      _ difference: RunDifference
    ) -> RestatementCause {
      .ofChange(from: old, to: new, evidence: evidence, difference: difference)
    }
    #expect(cause(nil, Self.paid, seen, Self.all) == .lateReceipt)
    #expect(cause(nil, Self.paid, known, Self.inputs) == .lateReceipt)
    #expect(cause(nil, Self.paid, known, Self.all) == .ruleChange)
    #expect(cause(Self.paid, nil, nil, Self.inputs) == .lateReceipt)
    #expect(cause(Self.paid, nil, nil, RunDifference(hasOtherSettings: true)) == .settings)
    for moved in [Self.row { $0.day = "2021-05-09" }, Self.row { $0.quantity = 2 }] {
      #expect(cause(Self.paid, moved, known, Self.all) == .lateReceipt)
    }
  }

  @Test func `is a conflict wherever one begins or ends`() {
    let conflict = Self.row {
      $0.paid = nil
      $0.isConflict = true
    }
    for (old, new) in [(Self.paid, conflict), (conflict, Self.paid)] {
      #expect(
        RestatementCause.ofChange(
          from: old, to: new, evidence: Self.evidence(.priceHistory), difference: Self.all)
          == .conflict)
    }
  }

  @Test func `of the net figure is the refund, of the other figures what changed beside it`() {
    var tally = RestatementTally(through: .init(daysSinceEpoch: 18_755))  // 2021-05-08
    let refunded = Self.row {
      $0.paid = 8_990
      $0.isRefunded = true
      $0.refunded = 8_990
    }
    tally.add(from: Self.paid, to: refunded, cause: .priceHistory)
    tally.add(from: nil, to: Self.row { $0.day = "2021-05-09" }, cause: .lateReceipt)
    // An unknown amount became known, in another currency than before. It is removed from one
    // currency and added to the other.
    let unknown = Self.row {
      $0.paid = nil
      $0.currency = ""
    }
    tally.add(from: unknown, to: Self.paid, cause: .latePrice)
    #expect(
      tally.restatements(ofRun: 7).map {
        "\($0.metric.rawValue) \($0.currency) \($0.cause.rawValue) \($0.old) \($0.new) \($0.rows)"
      } == [
        "gross USD late_price 0 9990 1", "gross USD price_history 9990 8990 1",
        "net USD late_price 0 9990 1", "net USD refund 9990 0 1",
        "unresolved_rows  late_price 1 0 1",
      ])
  }
}
