internal import CivilTime

/// Versions of the app send wrong reports for two weeks.
///
/// Five faulty versions are released, each on some of the phones, and each is replaced two weeks
/// later:
/// - one version sends cents as main units: 9.99 as 999,
/// - two versions show a price list from their cache,
/// - one version reports each product with another product's price,
/// - one version reports a wrong currency.
///
/// All reports from phones with a faulty version are wrong in these two weeks; the reports of other
/// phones are right.
///
/// The evidence is the other phones' reports, and the reports before and after the two weeks.
struct AppBug: Phenomenon {
  /// The error in the reports of a faulty app version.
  enum Fault: CaseIterable {
    case cents, cache, mixedUp, currency
  }

  /// The lowest and the highest number of phones per thousand with a faulty version.
  var share = 150...450
  /// The number of days for which a faulty version is in use.
  var days = 14
  private var versions: [(from: Int64, fault: Fault, share: Int)] = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    // A cache has no effect if prices do not change. So one plan's price changes on the release day
    // of each version with a cache: one plan becomes cheaper for everybody, another more expensive
    // for new subscribers.
    for (position, fault) in (Fault.allCases + [.cache]).enumerated() {
      let moment = world.midnight(perCent: 12 + 17 * position + random.below(9))
      versions.append((moment, fault, random.within(share)))
      guard fault == .cache else { continue }
      let isCut = position < Fault.allCases.count
      let plan = isCut ? 0 : 2
      for currency in Set(world.storefronts.map(\.currency.code)).sorted()
      where world.claim(plan, currency) {
        world.change(
          plan, currency, from: moment, percent: isCut ? 75 : 130,
          isCut ? .everyone : .preserved, isCatalogued: true)
      }
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    for version in versions where random.happens(perMille: version.share) {
      let until = version.from + Int64(days) * BillingClock.day
      for index in account.prices.indices {
        let report = account.prices[index]
        guard version.from <= report.shownAt, report.shownAt < until else { continue }
        apply(version.fault, to: &account.prices[index], at: version.from, world)
      }
    }
  }

  private func apply(
    _ fault: Fault, to report: inout AccountReport, at release: Int64, _ world: World
  ) {
    switch fault {
    case .cents: report.displayed.multiply(by: 100)
    case .cache:
      report.displayed = world.displayed(report.product, report.storefront, at: release - 1)
    case .mixedUp:
      let other = (report.product + 1) % world.products.count
      let price = world.displayed(other, report.storefront, at: report.shownAt).price
      report.displayed.price = price
    case .currency:
      // The digits of the price are those of the store's currency.
      let isDollar = report.displayed.currency.code == "USD"
      report.displayed.currency = .named(isDollar ? "EUR" : "USD")
    }
  }
}
