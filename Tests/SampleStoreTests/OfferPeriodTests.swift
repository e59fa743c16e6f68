internal import Testing

@testable internal import SampleStore

/// Offer periods and their results, determined by hand from the definitions.
struct OfferPeriodTests {
  private static let day: Int64 = 86_400_000

  private func row(
    _ id: Int64, _ kind: SamplePeriodKind, _ days: ClosedRange<Int64>, paid: Int64,
    offer: String = ""
  ) -> OfferPeriods.Row {
    OfferPeriods.Row(
      id: id, kind: kind, offerID: offer, purchasedAt: days.lowerBound * Self.day,
      endsAt: days.upperBound * Self.day, paid: paid)
  }

  private func outcome(
    _ rows: [OfferPeriods.Row], asOf: Int64 = 500, isRetrying: Bool = false
  ) -> [String] {
    OfferPeriods(rows: rows, asOf: asOf * Self.day, isRetrying: isRetrying, isEndSeen: true)
      .offers()
      .map { "\($0.transactionID) \($0.kind) \($0.status) \($0.convertedBy)" }
  }

  @Test func `a trial is converted by the first paid row within sixty days`() {
    let trial = row(1, .trial, 0...7, paid: 0)
    #expect(outcome([trial, row(2, .regular, 7...37, paid: 9_990)]) == ["1 trial converted 2"])
    #expect(outcome([trial, row(2, .regular, 67...97, paid: 9_990)]) == ["1 trial converted 2"])
    #expect(outcome([trial, row(2, .regular, 68...98, paid: 9_990)]) == ["1 trial lapsed "])
    // A free offer is also converted by a paid offer.
    #expect(
      outcome([trial, row(2, .promo, 7...37, paid: 990, offer: "half")])
        == ["1 trial converted 2", "2 promo lapsed "])
  }

  @Test func `a paid offer is converted by a regular row, and its rows are one period`() {
    let rows = [
      row(1, .intro, 0...30, paid: 990), row(2, .intro, 30...60, paid: 990),
      row(3, .intro, 76...106, paid: 990), row(4, .regular, 106...136, paid: 9_990),
    ]
    #expect(outcome(rows) == ["1 intro converted 4"], "a gap of sixteen days")
    let apart = [row(1, .intro, 0...30, paid: 990), row(2, .intro, 47...77, paid: 990)]
    #expect(outcome(apart) == ["1 intro lapsed ", "2 intro lapsed "])
    let two = [
      row(1, .promo, 0...30, paid: 990, offer: "a"), row(2, .promo, 30...60, paid: 990, offer: "b"),
    ]
    #expect(outcome(two, asOf: 61) == ["1 promo pending ", "2 promo pending "])
  }

  @Test func `an open trial is pending until sixty days are over`() {
    let trial = [row(1, .trial, 0...7, paid: 0)]
    #expect(outcome(trial, asOf: 66) == ["1 trial pending "])
    #expect(outcome(trial, asOf: 66, isRetrying: true) == ["1 trial billing_retry "])
    #expect(outcome(trial, asOf: 67) == ["1 trial lapsed "])
    #expect(outcome([row(1, .regular, 0...30, paid: 1)]).isEmpty)
  }

  @Test func `what followed the last row is seen by a later look, or by renewal that is off`() {
    let end = 7 * Self.day
    func shows(_ at: Int64, isRenewalOff: Bool = false) -> Bool {
      LastLook(at: at, isRenewalOff: isRenewalOff).shows(whatFollowed: end)
    }
    #expect([end - 1, end].map { shows($0) } == [false, true])
    #expect(shows(end - 1, isRenewalOff: true))
    // A later row shows what became of the first trial; nothing shows what became of the second.
    let rows = [
      row(1, .trial, 0...7, paid: 0), row(2, .regular, 7...37, paid: 9_990),
      row(3, .promo, 37...67, paid: 0, offer: "free"),
    ]
    let offers = OfferPeriods(
      rows: rows, asOf: 500 * Self.day, isRetrying: false, isEndSeen: false
    ).offers()
    #expect(offers.map(\.isResultSeen) == [true, false])
  }
}
