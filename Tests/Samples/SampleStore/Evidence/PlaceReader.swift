internal import CivilTime

/// Finds the storefronts in which a purchase may have been made, according to the exports.
///
/// A run of renewals is the rows of a chain between two lapses; all its rows have one storefront.
/// So a storefront that is found for one of these rows applies to all of them. The sources are
/// tried in this order:
/// 1. Apple's signed or decoded transaction or a report with the transaction id of the row or of
///    another row in its run of renewals,
/// 2. the storefront of the household at the start of the run or up to a day before; otherwise the
///    household's nearest storefronts before and after the start (``Households``),
/// 3. all storefronts with the currency in the household's report that is nearest to the row.
struct PlaceReader {
  let world: World
  let account: Account
  let households: Households
  /// The positions of the purchases whose transaction is in the exports.
  let signed: Set<Int>

  /// Finds the storefronts in which a row may have been bought; `nil` without evidence.
  func candidates(_ index: Int) -> Set<Int>? {
    let row = account.purchases[index]
    if let named = namedStorefront(index) { return [named] }
    let run = account.purchases.indices.filter { isSameRun(account.purchases[$0], row) }
    if let named = run.lazy.compactMap(namedStorefront).first { return [named] }
    let begun = run.map { account.purchases[$0].purchasedAt }.min() ?? row.purchasedAt
    // The app sends the report of a purchase some minutes after the purchase.
    let places = households.places(ofChain: row.originalID)
    let before = places.last { $0.time <= begun + BillingClock.hour }
    let after = places.first { $0.time > begun + BillingClock.hour }
    if let before, before.time >= begun - BillingClock.day { return [before.storefront] }
    let found = Set([before, after].compactMap { $0?.storefront })
    if !found.isEmpty { return found }
    guard let currency = reportedCurrency(of: row) else { return nil }
    return storefronts(with: currency, at: row.purchasedAt)
  }

  /// Finds all storefronts that have a currency at a moment.
  func storefronts(with currency: WorldCurrency, at moment: Int64) -> Set<Int> {
    Set(
      world.storefronts.indices.filter {
        world.prices.step(0, $0, at: moment).currency == currency
      })
  }

  private func isSameRun(_ one: AccountPurchase, _ other: AccountPurchase) -> Bool {
    one.originalID == other.originalID && one.run == other.run
      && (other.isSubscription || one.id == other.id)
  }

  private func namedStorefront(_ index: Int) -> Int? {
    if signed.contains(index) { return account.purchases[index].storefront }
    return namedByReport(index)
  }

  private func namedByReport(_ index: Int) -> Int? {
    account.prices.first { $0.purchase == index && $0.namesStorefront }
      .map { $0.named ?? $0.storefront }
  }

  /// Finds the currency of the household's report that is nearest to the row in time.
  private func reportedCurrency(of row: AccountPurchase) -> WorldCurrency? {
    households.money(ofChain: row.originalID).min {
      abs($0.time - row.purchasedAt) < abs($1.time - row.purchasedAt)
    }?.currency
  }
}
