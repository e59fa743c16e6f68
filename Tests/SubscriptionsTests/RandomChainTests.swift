internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import TestSupport
internal import Testing

/// Chains of random rows; each run of rows of one offer kind is an offer period.
private func randomChains(_ random: inout SeededGenerator) -> ChainFixture {
  var fixture = ChainFixture()
  for _ in 0..<40 {
    var rows: [Row] = []
    var day: Int64 = 0
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let length = Int64([7, 30, 90].randomElement(using: &random) ?? 30)
      day += Int64([0, 0, 0, 5, 40, 90].randomElement(using: &random) ?? 0)
      var row =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: Row.trial(day, day + length)
        case 1: Row.paid(.intro, day, day + length, 1)
        case 2: Row.paid(.promo, day, day + length, nil)
        default:
          Row.regular(day, day + length, paid: [0, 10, nil].randomElement(using: &random) ?? 10)
        }
      if Bool.random(using: &random), Bool.random(using: &random) {
        row = row.refunded(on: day + 3)
      }
      rows.append(row)
      day += length
    }
    fixture.add(rows, states: Bool.random(using: &random) ? [State(on: day, retry: true)] : [])
    let chain = fixture.book.chains.count - 1
    var start = 0
    for index in rows.indices {
      let isLast = index + 1 == rows.count || rows[index + 1].kind != rows[index].kind
      guard isLast else { continue }
      if rows[index].kind.isOffer { fixture.offers([(chain, start..<index + 1)]) }
      start = index + 1
    }
  }
  return fixture
}

@Test(arguments: 1...20)
func `an offer's outcome is what a plain search for the converting row says`(_ seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let fixture = randomChains(&random)
  let asOf = moment(Int64.random(in: 0...600, using: &random))
  let result = subscriptions(
    book: fixture.book, timelines: fixture.timelines, amounts: fixture.amounts, asOf: asOf,
    completeUntil: nil)
  #expect(result.conversions.count == fixture.timelines.offerPeriods.count, "seed \(seed)")
  for (period, conversion) in zip(fixture.timelines.offerPeriods, result.conversions) {
    let chain = fixture.book.chains[period.chain.index]
    let isFree = period.kind == .trial
    let end = fixture.book.purchases[period.rows.upperBound - 1].endsAt
    let first = (period.rows.upperBound..<chain.rows.upperBound).first { row in
      let paid = fixture.amounts.amounts[row].paid
      return isFree ? paid != .zero : fixture.timelines.rows[row].kind == .regular
    }
    let limit = end.advanced(by: .days(60))
    let row = first.flatMap { fixture.book.purchases[$0].purchasedAt <= limit ? $0 : nil }
    #expect(conversion.convertedBy?.index == row, "seed \(seed)")
    #expect((conversion.status == .converted) == (row != nil), "seed \(seed)")
    #expect((conversion.status == .lapsed) == (row == nil && limit <= asOf), "seed \(seed)")
    #expect(conversion.isMature == (limit <= asOf), "seed \(seed)")
  }
}

@Test(arguments: 1...20)
func `a chain's numbers add up`(_ seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let fixture = randomChains(&random)
  let result = subscriptions(
    book: fixture.book, timelines: fixture.timelines, amounts: fixture.amounts, asOf: moment(100),
    completeUntil: nil)
  for subscription in result.subscriptions {
    let rows = fixture.book.chains[subscription.chain.index].rows
    let numbers = result.paidNumbers[rows].compactMap(\.self)
    #expect(numbers == Array(1..<Int32(numbers.count + 1)), "seed \(seed)")
    #expect(subscription.paidCount == Int32(numbers.count), "seed \(seed)")
    #expect((subscription.firstPaidAt == nil) == numbers.isEmpty, "seed \(seed)")
  }
}
