internal import PurchaseModel

/// Decides which true amounts the rules must find from the exported evidence.
///
/// An amount is "resolvable" if Paidline's rules must find the true amount from the exported
/// evidence. Resolvable are
/// 1. rows whose flag makes them free;
/// 2. rows with a true report that has their transaction id and the price of their kind;
/// 3. rows of an offer period after a resolvable row of the same period;
/// 4. regular rows after a resolvable regular row of the chain, product and currency, if the
/// renewal rule, applied to the true price list, gives the true amount, and the price history must
/// show that list at both rows (``ReportEvidence/isFirm(_:_:at:)``);
/// 5. other rows whose currency is certain and whose price is the list price or offer price of
/// their day, if a report or the catalogue has that price.
///
/// A pipeline may find other amounts too, but it may also leave them unresolved. These are rows of
/// customers who moved to another country, if no report has the row's transaction id; rows between
/// a price cut and the first report of it; rises whose consent no response shows; rows near an
/// out-of-date report of the same customer and product; and offer codes that are missing from the
/// catalogue.
struct Resolver {
  let plan: StorePlan
  let evidence: ReportEvidence
  let customer: SampleCustomer

  /// The resolvable rows of a chain; `chain` has the positions of its rows, sorted by time.
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

  /// Whether the chain has an earlier regular row of the product, and the product's price changes.
  private func hasOtherRegular(before row: SamplePurchase) -> Bool {
    guard plan.step(row.product, row.market.currency) != nil else { return false }
    return customer.purchases.contains {
      $0.originalID == row.originalID && $0.kind == .regular && $0.product == row.product
        && $0.purchasedAt < row.purchasedAt
    }
  }

  /// The amount that the rules must find for a renewal; `nil` if they must leave it unresolved.
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

  /// Whether a true report has the purchase's transaction id and the price of its kind.
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

  /// Whether the customer's other reports, other customers' reports, or the catalogue must give the
  /// amount.
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

  /// Whether a record or a report of the customer shows the storefront.
  ///
  /// Without a customer id, the record or report must be about the chain.
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
