extension Observations {
  /// Passes every symbol of the records, rows, renewal states, reports and offers to a closure.
  ///
  /// A symbol may be passed repeatedly. Examples: the symbols of a report are its customer,
  /// product, transaction id and app; the symbol of an offer is its offer id.
  @inline(__always)
  public func forEachText(customer: (CustomerID) -> Void, other: (Symbol) -> Void) {
    func note(_ symbol: Symbol?) {
      if let symbol { other(symbol) }
    }
    for record in records {
      if let named = record.customer { customer(named) }
      note(record.bundle?.symbol)
    }
    for row in observations {
      note(row.transactionID.number.symbol)
      note(row.originalTransactionID.number.symbol)
      note(row.lineItemID?.number.symbol)
      note(row.productID.symbol)
      note(row.cancellationReason)
      note(row.promotionalOfferID?.symbol)
      note(row.offerCodeRefName?.symbol)
      note(row.subscriptionGroupID?.symbol)
      if case .unrecognized(let text) = row.ownership { note(text) }
      note(row.signed?.itemRefunds)
      note(row.signed?.bundle)
    }
    for renewal in renewals {
      note(renewal.originalTransactionID.number.symbol)
      note(renewal.productID?.symbol)
      note(renewal.autoRenewProductID?.symbol)
      note(renewal.expirationIntent)
      note(renewal.priceConsentStatus)
      note(renewal.priceIncreaseStatus)
    }
    for report in reports {
      if let named = report.customer { customer(named) }
      note(report.transactionID?.number.symbol)
      note(report.productID.symbol)
      note(report.bundle?.symbol)
      note(report.appliedDiscount?.symbol)
    }
    for offer in offers { note(offer.offerID?.symbol) }
  }
}
