internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import Warehouse

/// Determines the households that a change affects.
extension FactRun {
  /// Adds the households with changed data, and changed reports without a household.
  ///
  /// - Returns: The reason why all keys are news; `nil` if the run can go on.
  mutating func seed() throws(RunFailure) -> AllKeysReason? {
    for number in 0..<readCount {
      if let household = chains.household(of: ChainPosition(number)) { wanted.insert(household) }
    }
    for place in 0..<reports.count where reports.isChanged[place] {
      if TestFault.reports.isInjected, reason == nil { break }
      want(report: ReportPosition(place))
    }
    for customer in reports.dropped.compactMap(\.customer) { want(customer) }
    for observation in storefronts[published.storefronts.count...] {
      if let customer = observation.customer { want(customer) }
    }
    guard reason == nil else { return nil }
    let placeholderIDs = Set(chains.households.placeholderIDs.map(\.customer))
    guard placeholderIDs == published.placeholderIDs else { return .placeholderIDs }
    guard (completeUntil ?? .distantPast) >= (published.completeUntil ?? .distantPast),
      (completeUntil == nil) == (published.completeUntil == nil)
    else { return .completeness }
    guard chains.passedOnAccounts == published.passedOn else { return .passedOn }
    guard products.apps.agrees(with: publishedProducts.apps) else { return .apps }
    try followProducts()
    return nil
  }

  /// Adds the household of a report, and of the purchase that it names; a report without both is
  /// added itself.
  private mutating func want(report: ReportPosition) {
    if let household = reports.households[report.index] {
      wanted.insert(household)
    } else {
      unassigned.insert(report)
    }
    if let named = reports.namedHouseholds[report.index] { wanted.insert(named) }
  }

  private mutating func want(_ customer: CustomerID) {
    if let household = chains.households.household(of: customer) { wanted.insert(household) }
  }

  private mutating func want(_ chain: ChainKey) {
    if let household = chains.household(of: chain) { wanted.insert(household) }
  }

  /// Adds the households with a product whose period, kind or group changed.
  private mutating func followProducts() throws(RunFailure) {
    let changed = products.changes(since: publishedProducts, catalogue: catalogue)
    guard !changed.isEmpty else { return }
    let apps = products.apps
    var found: [ChainKey] = []
    try reader.state.forEachLink(reader.texts) { link in
      if link.products.contains(where: { changed.contains(apps.product($0.productID)) }) {
        found.append(link.key)
      }
    }
    for chain in found { want(chain) }
  }

  /// Adds the households with purchases of products whose learned prices changed.
  mutating func follow(_ prices: PriceBook) throws(RunFailure) -> AllKeysReason? {
    guard reason == nil, !TestFault.prices.isInjected else { return nil }
    let changes = PriceBookChanges(from: published.prices, to: PublishedPrices(prices))
    guard case .products(let products) = changes else { return .storefronts }
    for (product, moment) in products.sorted(by: { $0.key < $1.key }) {
      // Under the other policies the newest price decides rows of all times.
      let from = reader.settings.renewalPolicy == .history ? moment : .distantPast
      let ids = try warehouse.chains(
        ofProduct: observations.symbols.text(product.symbol),
        from: from.day.advanced(by: -1))
      for id in ids {
        guard let number = AppleNumber(known: id, in: observations.symbols) else {
          return .otherRows
        }
        let key = ChainKey(
          OriginalTransactionID(number), isSandbox: false, in: observations.symbols)
        guard let household = chains.household(of: key) else { return .otherRows }
        wanted.insert(household)
      }
    }
    return nil
  }

  /// Adds the households of reports with a changed verdict.
  mutating func follow(_ changed: [ReportPosition]) {
    for report in TestFault.reportVerdicts.isInjected ? [] : changed { want(report: report) }
  }

  /// Adds the households whose facts change because time has passed.
  mutating func followTime() {
    guard !TestFault.time.isInjected else { return }
    for (number, standing) in zip(chains.numbersOfLastPartition, unread)
    where (standing.nextChangeAt ?? .distantFuture) <= asOf {
      if let household = chains.household(of: ChainPosition(number)) { wanted.insert(household) }
    }
  }

  /// Selects some unchanged households to decide again as a check; each run selects others.
  func sample(share: Int, run: Int64) -> HouseholdSet {
    var audited = HouseholdSet(among: chains.households)
    var seen = HouseholdSet(among: chains.households)
    for number in chains.numbersOfLastPartition {
      guard let household = chains.household(of: ChainPosition(number)),
        !wanted.contains(household), seen.insert(household)
      else { continue }
      let key = chains.keys[number]
      let chance = wellMixed(UInt64(bitPattern: key.rawValue) ^ wellMixed(UInt64(run)))
      if chance % 10_000 < UInt64(share) { audited.insert(household) }
    }
    return audited
  }
}
