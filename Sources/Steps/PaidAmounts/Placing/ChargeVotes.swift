internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// Decides which charges vote for the list price.
extension HouseholdBatch {
  /// Returns the verdict on a charge that has no vote; `nil` for a charge with a vote.
  ///
  /// A charge votes if its purchase is a one-time purchase, or the first regular row of its chain,
  /// and no earlier regular rows may be missing. A later renewal may keep an old price: its charge
  /// decides the renewal, and nothing else. Charges of several units do not vote, nor do charges
  /// whose currency is not the storefront's. Example: a chain began in March at 9.99 USD, and the
  /// list price rose to 12.99 in May. The charges of April to July are 9.99, and only that of March
  /// is a vote.
  func setAside(charge: PriceReport, naming row: RowPosition?, _ named: NamedRows) -> Verdict? {
    guard let row = row?.index, row < book.revenueCount else { return .charged }
    let purchase = book.purchases[row]
    let charges = named.reports(naming: row).map { reports[$0.index] }
      .filter { $0.report.isCharge && $0.report.isPossible && !namesOtherProduct($0) }
      .map(\.report)
    if !charges.agree(quantity: purchase.quantity) { return .contestedCharge }
    guard charge.price > .zero, purchase.conflict == nil, purchase.quantity <= 1,
      !charge.hasOtherCurrencyThanPlace(at: purchase.purchasedAt), isAtListPrice(row)
    else { return .charged }
    return isOfUnknownApp(charge) ? .noReference : nil
  }

  /// Whether a revenue row certainly paid the list price of its day.
  private func isAtListPrice(_ row: Int) -> Bool {
    guard isRegular(RowPosition(row)) else { return false }
    guard book.purchases[row].isSubscription else { return true }
    let chain = book.chains[book.chain(ofRow: row)]
    // Where the service does not mark introductory prices, the next row must cost the same.
    if let terms = book.purchases[row].service, !terms.marksOffers,
      nextRow(of: row, in: chain, of: book).flatMap({ book.purchases[$0].service?.charged })
        != terms.charged || book.unmarkedOpening(of: chain)?.endsAtHigherPrice == true
    {
      return false
    }
    let first = chain.rows.first { isRegular(RowPosition($0)) }
    return first == row
      && !hasTruncatedHistory(chain, book: book) { isRegular(RowPosition($0)) }
  }
}

extension PriceReport {
  /// Whether the currency exists, and can have the amount: 150.5 JPY cannot be.
  var isPossible: Bool { currency.isKnown && currency.allows(price) }

  /// Whether a charge is in a currency that the App Store does not use in the charge's storefront.
  ///
  /// The storefront is then wrong. Example: a service takes the country from the IP address, and
  /// states a charge of 9.99 USD in Germany. Always false for a report that is not a charge.
  func hasOtherCurrencyThanPlace(at time: Instant) -> Bool {
    guard isCharge, let storefront,
      let usual = StorefrontCurrencies.usual(in: storefront, at: time)
    else { return false }
    return usual != currency
  }
}

extension Sequence<PriceReport> {
  /// Whether the charges of one purchase state one amount.
  ///
  /// Some tables state the price of one unit, so of several units a charge may also be an other
  /// one's multiple. Charges of 0 are ignored: they are no amount of a paid purchase.
  func agree(quantity: Int32) -> Bool {
    let charges = filter { $0.price > .zero }
    guard let whole = charges.max(by: { $0.price < $1.price }) else { return true }
    let units = Int64(Swift.max(1, quantity))
    return charges.allSatisfy { charge in
      charge.currency == whole.currency
        && (charge.price == whole.price
          || charge.price.rawValue.multipliedReportingOverflow(by: units)
            == (whole.price.rawValue, false))
    }
  }
}
