internal import PurchaseModel
internal import Purchases

extension HouseholdBatch {
  /// Assigns an app to each purchase and report whose product id several apps sell.
  ///
  /// A report that states an app keeps it, even if that app does not sell the id.
  ///
  /// A purchase gets its chain's app, else the only app that its household uses. A report gets the
  /// first known app of these four:
  ///
  /// 1. The app that the report states.
  /// 2. The app of its purchase.
  /// 3. The only app in which its household bought the id.
  /// 4. The app that sells nearly all units of the id.
  mutating func separateApps() {
    for index in reports.indices {
      let report = reports[index].report
      if let app = report.bundle, apps.isForeign(app, for: report.productID) {
        reports[index].report.productID = ProductID(report.productID.symbol, of: app)
      }
    }
    guard apps.hasShared else { return }
    separatePurchases()
    let sellers = sellersOfHouseholds()
    for index in reports.indices
    where reports[index].report.productID.app == nil
      && apps.isShared(reports[index].report.productID)
    {
      let own = reports[index]
      let id = own.report.productID
      let app =
        own.report.bundle ?? own.named.flatMap { appOfPurchase($0, named: own.report) }
        ?? own.household.flatMap { sellers[Seller(household: $0, id: id.withoutApp)]?.only }
        ?? apps.mainApp(of: id)
      reports[index].report.productID = apps.product(id, of: app)
    }
  }

  /// Returns true if several apps sell the report's product id, and nothing shows the report's app.
  ///
  /// Such a report has no vote.
  func isOfUnknownApp(_ report: PriceReport) -> Bool {
    apps.hasShared && report.productID.app == nil && apps.isShared(report.productID)
  }

  private mutating func separatePurchases() {
    var used: [HouseholdNumber: Apps] = [:]
    for chain in book.chains {
      guard let household = chain.household, let app = chain.bundle else { continue }
      used[household, default: Apps()].add(app)
    }
    for chain in book.chains {
      let app = chain.bundle ?? chain.household.flatMap { used[$0]?.only }
      for row in chain.rows {
        book.purchases[row].productID = apps.product(book.purchases[row].productID, of: app)
      }
    }
    for row in book.revenueCount..<book.purchases.count {
      let purchase = book.purchases[row]
      book.purchases[row].productID = apps.product(purchase.productID, of: purchase.bundle)
    }
  }

  private func appOfPurchase(_ named: NamedPurchase, named report: PriceReport) -> BundleID? {
    if let app = named.app { return app }
    guard let row = report.transactionID.flatMap(book.purchase(named:)),
      book.purchases[row].key == named.key
    else { return nil }
    return book.purchases[row].productID.app
  }

  /// A household and a product id that it bought.
  private struct Seller: Hashable {
    var household: HouseholdNumber
    var id: ProductID
  }

  /// A set of apps that only distinguishes between none, a single app, and several.
  private struct Apps {
    /// The only app; `nil` if there is no app, or if there are several.
    private(set) var only: BundleID?
    private var isSeveral = false

    mutating func add(_ app: BundleID) {
      guard !isSeveral, only != app else { return }
      isSeveral = only != nil
      only = isSeveral ? nil : app
    }
  }

  /// The apps in which each household bought each product id, without sandbox purchases.
  private func sellersOfHouseholds() -> [Seller: Apps] {
    var sellers: [Seller: Apps] = [:]
    func include(_ purchase: Purchase, _ household: HouseholdNumber?) {
      guard let household, let app = purchase.productID.app, !purchase.isSandbox else { return }
      let seller = Seller(household: household, id: purchase.productID.withoutApp)
      sellers[seller, default: Apps()].add(app)
    }
    for chain in book.chains {
      for row in chain.rows { include(book.purchases[row], chain.household) }
    }
    for (purchase, household) in zip(
      book.purchases[book.revenueCount...], book.excludedHouseholds)
    {
      include(purchase, household)
    }
    return sellers
  }
}
