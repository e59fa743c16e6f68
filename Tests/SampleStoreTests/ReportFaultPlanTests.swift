internal import CivilTime
internal import Testing

@testable internal import SampleStore

/// False prices are reported only where honest reports certainly refute them.
struct LiePlanTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `every lie stands among nine honest voters on either side`(seed: UInt64) {
    let store = SampleStore(
      SampleOptions(
        customers: 2500, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 400,
        files: 1))
    let all = store.customers.flatMap(\.reports)
    var faults = 0
    var strange: [String: Int] = [:]
    for customer in store.customers {
      for report in customer.reports where report.fault != .none {
        faults += 1
        if case .currency(let code) = report.fault {
          strange[report.market.storefront + code, default: 0] += 1
        }
        let price = store.plan.listPrice(
          report.product, report.market.currency, at: report.shownAt)
        let near = all.filter {
          $0.product == report.product && $0.market.currency == report.market.currency
            && $0.fault == .none && $0.price == price
            && abs($0.shownAt - report.shownAt) <= 30 * BillingClock.day
        }
        let before = near.count { $0.shownAt <= report.shownAt }
        let after = near.count { $0.shownAt >= report.shownAt }
        #expect(before >= 9 && after >= 9, "seed \(seed): \(report)")
      }
    }
    #expect(faults > 5, "seed \(seed)")
    #expect(strange.values.allSatisfy { $0 == 1 }, "no two liars confirm each other")
  }

  @Test func `a small store has no liars`() {
    let store = SampleStore(
      SampleOptions(
        customers: 30, seed: 1, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 400, files: 1))
    #expect(store.customers.allSatisfy { $0.reports.allSatisfy { $0.fault == .none } })
  }
}
