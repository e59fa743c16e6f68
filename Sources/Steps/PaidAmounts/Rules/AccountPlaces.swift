internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The storefronts that an Apple account shows around a purchase.
///
/// The App Store's country is that of the account. If several accounts use one device, only the
/// moments of the purchase's own account show where it was made.
struct AccountNeighbors {
  /// The storefronts of the two nearest moments before the purchase, nearest first.
  var before: [Storefront]
  /// The storefronts of the two nearest moments after the purchase, nearest first.
  var after: [Storefront]

  /// The storefront that the nearest moments before and after the purchase both name; else `nil`.
  var surrounding: Storefront? {
    before.first.flatMap { $0 == after.first ? $0 : nil }
  }

  /// The storefront that the moments show.
  ///
  /// It is ``surrounding``. If there are moments on one side only, the two nearest must agree.
  /// Otherwise `nil`.
  var agreed: Storefront? {
    guard before.isEmpty || after.isEmpty else { return surrounding }
    let side = before + after
    return side.count == 2 && side[0] == side[1] ? side[0] : nil
  }
}

extension PriceEvidence {
  /// Begins a row of a chain: after a lapse, and after a gap of more than a day behind which the
  /// account shows another country, prices and storefront of earlier rows no longer apply.
  ///
  /// A late payment cannot change the storefront, so the customer has bought anew. Example: the
  /// month in the United States ended in April, and a record of the moment of May's purchase names
  /// Japan.
  func begin(_ row: Int, chain: ChainPosition, _ chainState: inout ChainPricingState) {
    let timeline = timelines.rows[row]
    var returnsElsewhere = false
    if timeline.isBillingRecovery, let gap = timeline.gap, gap > .days(1),
      let kept = chainState.running?.storefront,
      let own = ownMoment(of: row, chain: chain)?.storefront
    {
      returnsElsewhere = own != kept && hasOtherPrices(own, kept, row)
    }
    chainState.begin(
      row: book.purchases[row], timeline, returnsElsewhere: returnsElsewhere)
  }

  /// The moment of the account within an hour of a purchase that names a storefront; else `nil`.
  private func ownMoment(of row: Int, chain: ChainPosition) -> HouseholdMoments.Moment? {
    accountMoments.naming(account: accounts[chain]).first {
      $0.contains(book.purchases[row].purchasedAt)
    }
  }

  /// The storefronts that the account of a chain shows around a purchase.
  ///
  /// Leaves out the moment of the purchase, and the moment of its report.
  func accountNeighbors(of chain: ChainPosition, around time: Instant, reportedAt: Instant?)
    -> AccountNeighbors
  {
    let others = accountMoments.naming(account: accounts[chain]).filter { moment in
      !moment.contains(time) && !(reportedAt.map(moment.contains) ?? false)
    }
    let before = others.filter { $0.through < time.milliseconds }
    let after = others.filter { $0.from > time.milliseconds }
    return AccountNeighbors(
      before: before.reversed().prefix(2).compactMap(\.storefront),
      after: after.prefix(2).compactMap(\.storefront))
  }

  /// The storefront of a purchase whose own moment shows another storefront than the account's
  /// moments before and after it; else `nil`.
  ///
  /// The two storefronts must differ in currency or price list. Example: reports and records of an
  /// account name Poland in March and in May. In April a report of a purchase names the United
  /// States → Poland.
  func overruledPlace(
    of row: Int, chain: ChainPosition, report: ReportPosition?
  ) -> Storefront? {
    guard accountMoments.areVaried(account: accounts[chain]) else { return nil }
    let time = book.purchases[row].purchasedAt
    let own =
      report.flatMap { self.report($0).storefront }
      ?? ownMoment(of: row, chain: chain)?.storefront
    guard let own else { return nil }
    let neighbors = accountNeighbors(
      of: chain, around: time, reportedAt: report.map { self.report($0).reportedAt })
    guard let place = neighbors.surrounding, place != own, hasOtherPrices(place, own, row) else {
      return nil
    }
    return place
  }

  /// Returns true if two storefronts differ in currency, or in the price list of a purchase.
  func hasOtherPrices(_ left: Storefront, _ right: Storefront, _ row: Int) -> Bool {
    let purchase = book.purchases[row]
    let currency = prices.currencies.currency(of: left, at: purchase.purchasedAt)
    guard currency == prices.currencies.currency(of: right, at: purchase.purchasedAt) else {
      return true
    }
    let market = currency.flatMap { prices.markets.index(purchase.productID, $0) }
    return market.map { prices.lists(of: $0, for: left) != prices.lists(of: $0, for: right) }
      ?? false
  }

  /// Returns true if nothing shows in which of two countries a purchase was made.
  ///
  /// The purchase has no report, and its subscription has no place yet. The household's moments
  /// within 180 days name two storefronts that differ in currency or price list, no record of the
  /// account is of the moment of the purchase, and its moments do not surround the purchase with
  /// one storefront.
  func isOfUnknownCountry(_ row: Int, chain: ChainPosition, household: HouseholdNumber?) -> Bool {
    guard let household, timelines.rows[row].kind != .trial, moments.areVaried(household) else {
      return false
    }
    let time = book.purchases[row].purchasedAt
    let reach = Milliseconds.days(180).rawValue
    let places = Set(
      moments.naming(household).lazy.filter {
        abs($0.from - time.milliseconds) <= reach
      }.compactMap(\.storefront))
    guard places.count > 1, let first = places.min(),
      places.contains(where: { hasOtherPrices(first, $0, row) })
    else { return false }
    return ownMoment(of: row, chain: chain) == nil
      && accountNeighbors(of: chain, around: time, reportedAt: nil).surrounding == nil
  }
}
