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
extension IncrementalRun {
  /// Adds the households with changed data to `wanted`, and changed reports without a household to
  /// `unassigned`.
  func seed(_ wanted: inout HouseholdSet, _ unassigned: inout Set<ReportPosition>) {
    for key in loaded.chains.keys {
      if let household = chains.positions[key].flatMap(chains.household(ofChain:)) {
        wanted.insert(household)
      }
    }
    for number in TestFault.reports.isInjected ? [] : reports.changedReports {
      if let household = reports.households[number.index] {
        wanted.insert(household)
      } else {
        unassigned.insert(number)
      }
      if let named = reports.namedHousehold(number.index, chains) { wanted.insert(named) }
    }
    for report in reports.dropped {
      if let household = report.customer.flatMap(chains.households.household(of:)) {
        wanted.insert(household)
      }
    }
    for observation in storefronts[index.sums.storefronts.count...] {
      if let household = observation.customer.flatMap(chains.households.household(of:)) {
        wanted.insert(household)
      }
    }
  }

  /// Adds to `wanted` the households with purchases of products whose learned prices changed.
  ///
  /// Returns the reason for a full run; `nil` if the incremental run can continue.
  func follow(_ changes: PriceBookChanges, _ wanted: inout HouseholdSet) throws(RunFailure)
    -> FullRunReason?
  {
    if TestFault.prices.isInjected { return nil }
    guard case .products(let products) = changes else { return .storefronts }
    for (product, moment) in products.sorted(by: { $0.key < $1.key }) {
      // Under the other policies the newest price decides rows of all times.
      let from = reader.settings.renewalPolicy == .history ? moment : .distantPast
      let ids = try warehouse.chains(
        ofProduct: set.symbols.text(product.symbol), from: from.day.advanced(by: -1))
      for id in ids {
        guard let number = AppleNumber(known: id, in: set.symbols) else { return .otherRows }
        let key = ChainKey(OriginalTransactionID(number), isSandbox: false, in: set.symbols)
        guard let chain = chains.positions[key],
          let household = chains.household(ofChain: chain)
        else { return .otherRows }
        wanted.insert(household)
      }
    }
    return nil
  }

  /// Adds to `wanted` the households to which reports with a changed verdict belong, and the
  /// households of the purchases that these reports name.
  ///
  /// Adds a report that belongs to no household to `unassigned`.
  func follow(
    _ changed: [ReportPosition], _ wanted: inout HouseholdSet,
    _ unassigned: inout Set<ReportPosition>
  ) {
    for report in TestFault.reportVerdicts.isInjected ? [] : changed {
      if let household = reports.households[report.index] {
        wanted.insert(household)
      } else {
        unassigned.insert(report)
      }
      if let named = reports.namedHousehold(report.index, chains) { wanted.insert(named) }
    }
  }

  func size(of wanted: HouseholdSet) -> Int {
    chains.chains.indices.count { number in
      chains.household(ofChain: ChainPosition(number)).map(wanted.contains) ?? false
    }
  }

  /// Selects some unchanged households to decide again as a check.
  ///
  /// Each run selects different households.
  func sample(without wanted: HouseholdSet) -> HouseholdSet {
    var audited = HouseholdSet(among: chains.households)
    var seen = HouseholdSet(among: chains.households)
    for (number, chain) in chains.chains.enumerated() {
      guard let household = chains.household(ofChain: ChainPosition(number)),
        !wanted.contains(household), seen.insert(household)
      else { continue }
      let chance = wellMixed(UInt64(bitPattern: chain.key.rawValue) ^ wellMixed(UInt64(run)))
      if chance % 10_000 < UInt64(auditShare) { audited.insert(household) }
    }
    return audited
  }
}
