internal import CivilTime
internal import Purchases
internal import Subscriptions
internal import Testing

/// When the periods of one subscription end; days are counted from 2024-01-01.
struct AccessEndTests {
  private func ends(_ rows: [Row]) -> [Instant] {
    let fixture = ChainFixture([rows])
    return fixture.timelines.rows.map(\.accessEndsAt)
  }

  @Test func `a period ends where a later one begins, even if Apple marks no upgrade`() {
    // A year from day 0; on day 40 a month of another product.
    #expect(
      ends([.regular(0, 365), .regular(40, 71).of(product: 1)]) == [moment(40), moment(71)])
  }

  @Test func `a renewal that is refunded before it begins ends no other period`() {
    #expect(
      ends([
        .regular(0, 31), .regular(30, 61).of(product: 1), .regular(31, 62).refunded(on: 30),
      ]) == [moment(30), moment(61), moment(30)])
  }

  @Test func `a later period that was refunded ends no other`() {
    #expect(
      ends([.regular(0, 365), .regular(40, 71).of(product: 1).refunded(on: 50)])
        == [moment(365), moment(50)])
  }

  @Test func `periods one after another end as Apple says`() {
    #expect(
      ends([.regular(0, 31), .regular(31, 62).refunded(on: 40), .regular(62, 92)])
        == [moment(31), moment(40), moment(92)])
  }

  @Test func `a subscription is expired when its newest period is, though an older one lasted`() {
    let fixture = ChainFixture([[.regular(0, 365), .regular(40, 71).of(product: 1)]])
    let found = subscriptions(
      book: fixture.book, timelines: fixture.timelines, amounts: fixture.amounts,
      asOf: moment(100), completeUntil: nil
    ).subscriptions[0]
    #expect(found.status == .expired)
    #expect(found.expiresAt == moment(71))
  }
}
