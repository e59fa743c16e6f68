internal import PurchaseModel

/// Decides which true amounts the rules must find from the exported evidence.
///
/// Such an amount is "resolvable". These rows are resolvable:
/// 1. A flag makes the row free.
/// 2. A true report has the row's transaction id, and the price for the row's kind, such as the
///    introductory price.
/// 3. The row follows a resolvable row of its offer period.
/// 4. The row is regular and follows a resolvable regular row of its chain, product and currency.
///    The renewal rule, applied to the true price list, gives the true amount. The price history
///    must show that price list at the time of both rows (``ReportEvidence/isFirm(_:_:at:)``).
/// 5. Records or reports show the currency of the row. Its price is the list price or the offer
///    price of its day, and a report or the catalogue has that price. A regular row must be the
///    first regular row of its product in the chain. If the product's price never changes,
///    rows after a lapse are resolvable too.
///
/// A pipeline may find other amounts too, or leave them unresolved. These are the amounts of
/// - customers who moved to another country, if no report has the row's transaction id,
/// - rows between a price cut and the first report of the new price,
/// - renewals after a rise that needs consent, if no response shows the consent,
/// - rows of customers who sent an out-of-date report of the product,
/// - offer codes that are missing from the catalogue.
struct Resolver {
  let plan: StorePlan
  let evidence: ReportEvidence
  let customer: SampleCustomer

  /// Returns the resolvable rows of a chain; `chain` has the positions of its rows, sorted by time.
  func resolvable(inChain chain: [Int]) -> Set<Int> {
    var found: Set<Int> = []
    var offerBasis: Int?
    var regularBasis: Int?
    var isDoubtful = false
    for (position, index) in chain.enumerated() {
      let row = customer.purchases[index]
      if position > 0 {
        let previous = customer.purchases[chain[position - 1]]
        if isLapse(from: previous, to: row) {
          regularBasis = nil
          isDoubtful = false
        }
        let continues =
          previous.kind == row.kind && previous.offerID == row.offerID
          && row.purchasedAt - previous.endsAt <= 16 * BillingClock.day
        if !continues { offerBasis = nil }
      }
      if row.kind == .regular {
        let isFound = isResolvableRegular(index, after: regularBasis, isDoubtful: isDoubtful)
        if isFound {
          found.insert(index)
          regularBasis = index
          isDoubtful = false
        } else {
          isDoubtful = true
        }
      } else if row.isTrial || isNamed(index) || isKnown(offerBasis, for: row)
        || isListed(index, isIn: chain)
      {
        found.insert(index)
        offerBasis = index
      }
    }
    return found
  }

  private func isKnown(_ basis: Int?, for row: SamplePurchase) -> Bool {
    guard let basis else { return false }
    let earlier = customer.purchases[basis]
    return earlier.product == row.product && earlier.market.currency == row.market.currency
      && customer.movesAt == .max
  }

  // MARK: Regular rows

  private func isResolvableRegular(_ index: Int, after basis: Int?, isDoubtful: Bool) -> Bool {
    if isNamed(index) { return true }
    let row = customer.purchases[index]
    guard !isDoubtful, customer.movesAt == .max else { return false }
    guard let basis, customer.purchases[basis].product == row.product else {
      return isListed(index, isIn: [index]) && !hasOtherRegular(before: row)
    }
    return renewalPolicy(from: customer.purchases[basis], to: row) == row.paid
      && knowsCurrency(of: row)
  }

  /// Whether the product's price changes and the chain has an earlier regular row of the product.
  private func hasOtherRegular(before row: SamplePurchase) -> Bool {
    guard plan.step(row.product, row.market.currency) != nil else { return false }
    return customer.purchases.contains {
      $0.originalID == row.originalID && $0.kind == .regular && $0.product == row.product
        && $0.purchasedAt < row.purchasedAt
    }
  }

  /// The amount that the renewal rule must find for a row after `basis`; `nil` if the evidence does
  /// not determine the amount.
  private func renewalPolicy(from basis: SamplePurchase, to row: SamplePurchase) -> Int64? {
    let currency = row.market.currency
    guard basis.market.currency == currency else { return nil }
    guard let step = plan.step(row.product, currency) else { return basis.paid }
    guard evidence.isFirm(row.product, currency, at: basis.purchasedAt),
      evidence.isFirm(row.product, currency, at: row.purchasedAt)
    else { return nil }
    let before = plan.listPrice(row.product, currency, at: basis.purchasedAt)
    let now = plan.listPrice(row.product, currency, at: row.purchasedAt)
    if before == now || now == basis.paid { return basis.paid }
    if now < basis.paid { return now }
    switch step.effect {
    case .moved: return now
    case .preserved: return basis.paid
    case .consent, .everyone:
      let consented = customer.uploads.contains { upload in
        upload.at > basis.purchasedAt && upload.at < row.purchasedAt && upload.form != .flat
          && customer.state(of: row.originalID, at: upload.at)?.consent == 1
      }
      return consented ? now : nil
    }
  }

  /// Whether the rules detect a lapse between two consecutive rows.
  private func isLapse(from previous: SamplePurchase, to row: SamplePurchase) -> Bool {
    let gap = row.purchasedAt - previous.endsAt
    guard gap > 0 else { return false }
    if gap > 60 * BillingClock.day || row.kind == .promo || row.kind == .offerCode { return true }
    let newest = customer.uploads.filter { $0.at < row.purchasedAt && $0.form != .flat }
      .map(\.at).max()
    let state = newest.flatMap { customer.state(of: row.originalID, at: $0) }
    return state.map { !$0.willRenew } ?? false
  }

  // MARK: Evidence for one row

  /// Whether a true report has the purchase's transaction id, and states the price for the kind of
  /// this purchase, such as the introductory price.
  private func isNamed(_ index: Int) -> Bool {
    let row = customer.purchases[index]
    return customer.reports.contains { report in
      guard report.purchase == index, report.fault == .none, report.product == row.product,
        report.market == row.market
      else { return false }
      switch row.kind {
      case .regular, .oneTime:
        return plan.listPrice(row.product, row.market.currency, at: report.shownAt) * row.quantity
          == row.paid
      case .trial, .intro: return true
      case .promo: return report.hasDiscounts
      case .offerCode: return false
      }
    }
  }

  /// Whether reports or the catalogue show the amount, even if no report has the transaction id.
  private func isListed(_ index: Int, isIn chain: [Int]) -> Bool {
    let row = customer.purchases[index]
    let currency = row.market.currency
    guard customer.movesAt == .max, knowsCurrency(of: row) else { return false }
    switch row.kind {
    case .trial: return true
    case .intro:
      return knowsStorefront(of: row) && evidence.hasIntroductory(row.product, in: row.market)
    case .promo:
      return evidence.hasOffer(row.promotionalOfferID, of: row.product, currency)
        || StorePlan.hasCatalogueOffer(row.promotionalOfferID)
    case .offerCode: return StorePlan.hasCatalogueOffer(row.referenceName)
    case .regular, .oneTime:
      let isDoubtful = customer.reports.contains { $0.product == row.product && $0.fault == .stale }
      let list = plan.listPrice(row.product, currency, at: row.purchasedAt)
      return !isDoubtful && list * row.quantity == row.paid
        && (evidence.isFirm(row.product, currency, at: row.purchasedAt)
          || plan.hasCataloguePrice(row.product, currency))
    }
  }

  /// Whether a record or a report of the customer shows the storefront of a row.
  ///
  /// Without a customer id, only records and reports about the row's chain are used.
  private func knowsStorefront(of row: SamplePurchase) -> Bool {
    customer.uploads.contains { upload in
      upload.namesStorefront && (upload.form == .record || upload.form == .text)
        && upload.shows(row)
    } || customer.reports.contains { $0.namesStorefront && isLinked($0, to: row) }
  }

  private func knowsCurrency(of row: SamplePurchase) -> Bool {
    if knowsStorefront(of: row) { return evidence.knowsCurrency(of: row.market) }
    return customer.reports.contains { $0.fault == .none && isLinked($0, to: row) }
  }

  private func isLinked(_ report: SampleReport, to row: SamplePurchase) -> Bool {
    if !customer.id.isEmpty { return report.namesCustomer }
    guard report.purchase >= 0 else { return false }
    return customer.purchases[report.purchase].originalID == row.originalID
  }
}
