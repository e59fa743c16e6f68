internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// A store whose export days end early: what its figures call complete must still hold when the
/// later days are there.
struct CutStoreTests {
  private static let store = SampleStore(
    SampleOptions(
      customers: 150, seed: 11, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 400, files: 20))

  /// Publishes the first exports of the store, a number of hundredths of all.
  private static func shop(_ percent: Int) throws -> Shop {
    let shop = try Shop(
      receipts: "receipts/receipts-{date}.ndjson.gz",
      inputs: [
        #"prices: ["prices/prices-{date}.ndjson.gz"]"#, "catalog: catalog.yaml",
        "rates: eurofxref-hist.csv",
      ],
      more: """
        reporting_currency: EUR
        bundle_ids: [app.paidline.sample]
        """)
    var days: [String: [Int]] = [:]
    for number in 0..<store.exportCount {
      let name = store.export(number).name
      let day = try #require(name.firstMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/)).output
      days[String(day), default: []].append(number)
    }
    let kept = days.keys.sorted().prefix(days.count * percent / 100)
    for number in kept.flatMap({ days[$0] ?? [] }) {
      let file = store.export(number)
      try shop.folder.write(file.name, bytes: file.bytes)
    }
    for file in store.accompanyingFiles() where file.name != "pipeline.yaml" {
      try shop.folder.write(file.name, bytes: file.bytes)
    }
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "\(percent) %: \(ending.errors)")
    return shop
  }

  private static let whole = Result { try shop(100) }

  @Test(arguments: [50, 65, 80])
  func `what a cut store calls complete is what the whole store says`(_ percent: Int) throws {
    let (cut, whole) = (try Self.shop(percent), try Self.whole.get())
    var compared = 0
    for (view, day, figure) in [
      ("revenue_daily", "date_day", "chargeable_rows"),
      ("active_subscriptions_daily", "date_day", "active_subscriptions"),
      ("subscription_movement_daily", "date_day", "expired"),
      ("revenue_monthly", "month", "gross_reporting_micros"),
      ("churn_monthly", "month", "churned_subscriptions"),
      ("mrr_movement_monthly", "month", "churned_reporting_micros"),
    ] {
      func sums(_ shop: Shop, _ condition: String) throws -> [String: Int] {
        Dictionary(
          uniqueKeysWithValues: try shop.facts(
            """
            (SELECT \(day) AS day, SUM(\(figure)) AS sum FROM \(view) WHERE \(condition) GROUP BY 1)
            """
          ).map { (cell($0.text("day")), $0.number("sum") ?? 0) })
      }
      let expected = try sums(whole, "1")
      for (day, sum) in try sums(cut, "is_complete = 1") {
        let later = expected[day] ?? 0
        // A purchase becomes known with the customer's next receipt. So on a day of few
        // subscriptions one may be missing.
        #expect(
          abs(sum - later) <= max(1, abs(later) / 50),
          "\(view), \(figure) on \(day): \(sum), and \(later) in the whole store")
        compared += 1
      }
    }
    #expect(compared > 10)
    // Without that care, the newest renewals that nobody has looked at would be churn.
    #expect(
      try cut.rows("SELECT SUM(not_seen_subscriptions) > 0 FROM churn_monthly") == ["1"])
  }
}
