import Amounts
import GRDB
import Testing

@testable import PaidAmounts
@testable import Purchases
@testable import SharedTables
@testable import Warehouse

/// `audit_change`: which published amounts a run changed.
@Suite struct `Changed amounts` {
  private static let changes = """
    SELECT run_id, purchase_key, old_paid_milli, new_paid_milli, old_price_status,
      new_price_status, cause
    FROM audit_change ORDER BY run_id, purchase_key
    """

  /// Publishes the sample, and then another version of it with new rules.
  private func changed(_ change: (inout SampleFacts) -> Void) throws -> (WorkFolder, PublishReport)
  {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(try folder.rows(Self.changes) == [], "a first publication changes nothing")
    var next = SampleFacts(run: 2)
    next.content.run.stateGeneration = 5
    next.content.run.rulesVersion = "2"
    change(&next)
    return (folder, try folder.warehouse.publish(next.content))
  }

  @Test func `an amount and a confidence that change are kept with their cause`() throws {
    let (folder, report) = try changed { next in
      next.content.amounts.amounts[1].paid = Milliunits(8_990)
      next.content.amounts.amounts[1].low = Milliunits(8_990)
      next.content.amounts.amounts[1].high = Milliunits(8_990)
      next.content.amounts.amounts[4].status = .derived
    }
    // Purchase 100 is row 1, a month at 9.99; purchase 200 is row 4, a year at 59.99.
    #expect(
      try folder.rows(Self.changes) == [
        "2|100|9990|8990|exact|exact|rule_change",
        "2|200|59990|59990|configured|derived|rule_change",
      ])
    #expect(report.changedAmounts == 2)
  }

  @Test func `a list price alone is no change, a purchase that vanishes is one`() throws {
    let (folder, _) = try changed { next in
      next.content.amounts.amounts[1].listPrice = Milliunits(12)
      next.content.purchases.purchases[5].key = PurchaseKey(rawValue: 450)
    }
    // Two coin packs of 120 JPY are gone, and others are there: those are new, not changed.
    #expect(try folder.rows(Self.changes) == ["2|400|240000|-|configured|-|rule_change"])
  }

  @Test func `only the newest changes are kept, of a run those of the smallest keys`() throws {
    let store = try SmallStore(asOf: "2021-03-01T00:00:00Z", completeThrough: "2021-02-28")
    let amount = PublishedAmount(
      paid: 1, currency: "USD", rule: "price_history", status: "inferred")
    try store.database.write { db in
      try (1...3 as ClosedRange<Int64>).flatMap { run in
        (1...2 as ClosedRange<Int64>).map { key in
          AmountChange(runID: run, purchaseKey: key, old: amount, new: nil, cause: .rates)
        }
      }.write(to: "audit_change", on: db)
      try AmountChange.limit("audit_change", to: 3, on: db)
      #expect(
        try String.fetchAll(
          db, sql: "SELECT run_id || '.' || purchase_key FROM audit_change ORDER BY 1")
          == ["2.1", "3.1", "3.2"])
    }
  }
}
