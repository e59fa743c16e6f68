import Amounts
import Testing

@testable import PaidAmounts
@testable import Purchases
@testable import Warehouse

@Suite struct `Ledger entries` {
  @Test(arguments: [
    ("half of 31 days", "2021-05-16T12:00:00Z", 4995),
    ("on the first moment: everything", "2021-05-01T00:00:00Z", 9990),
    ("before it began: no more than everything", "2021-04-01T00:00:00Z", 9990),
    ("at the end: nothing", "2021-06-01T00:00:00Z", 0),
    ("after the end: nothing", "2021-07-01T00:00:00Z", 0),
    // One day of 31: 9,990 / 31 = 322.258.
    ("a day before the end", "2021-05-31T00:00:00Z", 322),
  ])
  func `the unused share of a month of 31 days at 9.990`(
    story: String, moment: String, credit: Int64
  ) throws {
    let month = SampleFacts().content.purchases.purchases[3]
    #expect(
      try EntryRows.unusedShare(of: Milliunits(9990), month, from: at(moment)).rawValue == credit)
  }

  @Test func `a row without length has no unused share`() throws {
    let coins = SampleFacts().content.purchases.purchases[5]
    #expect(
      try EntryRows.unusedShare(of: Milliunits(9990), coins, from: coins.purchasedAt) == .zero)
  }

  @Test func `unknown and free amounts book nothing`() throws {
    let folder = try WorkFolder()
    var sample = SampleFacts()
    sample.content.amounts.amounts[2].paid = nil
    sample.content.amounts.amounts[2].status = .unresolved
    sample.content.amounts.amounts[2].rule = .unresolved
    sample.content.amounts.amounts[2].low = .zero
    _ = try folder.warehouse.publish(sample.content)
    #expect(
      try folder.rows("SELECT entry_key FROM fct_revenue_entry WHERE purchase_key IN (500, 900)")
        == [])
  }

  @Test func `an upgrade at the last moment books no credit of nothing`() throws {
    let folder = try WorkFolder()
    var sample = SampleFacts()
    sample.content.timelines.rows[3].reversal = Reversal(
      kind: .upgrade, at: at("2021-06-01T00:00:00Z"))
    _ = try folder.warehouse.publish(sample.content)
    #expect(
      try folder.rows("SELECT entry_kind FROM fct_revenue_entry WHERE purchase_key = 300")
        == ["charge"])
  }

  @Test func `two purchases that differ in the last two bits alone are refused, never mixed`()
    throws
  {
    let folder = try WorkFolder()
    var sample = SampleFacts()
    sample.content.purchases.purchases[5].key = PurchaseKey(rawValue: 101)
    #expect(throws: (any Error).self) { try folder.warehouse.publish(sample.content) }
    #expect(try !folder.warehouse.exists())
  }
}
