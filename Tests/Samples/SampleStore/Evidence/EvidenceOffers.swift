extension EvidenceReader {
  /// Decides whether the exports determine the amount of an offer's row or of a one-time purchase.
  ///
  /// `index` is the position of the row; `previous` is the position of the chain's previous row.
  func other(_ index: Int, after previous: Int?) -> Finding {
    let row = account.purchases[index]
    if row.isTrial { return .free }
    if charged.contains(index) { return .charged }
    if isReported(index) { return .reported }
    if let previous, findings[previous].isDetermined {
      let last = account.purchases[previous]
      let isSame =
        last.kind == row.kind && last.offerID == row.offerID && last.offer == row.offer
        && last.product == row.product && last.currency == row.currency && last.run == row.run
      if isSame { return last.paid == row.paid ? .sameOffer : .misled }
    }
    switch row.kind {
    case .trial, .regular: return .free
    case .oneTime: return listed(index, .regular(row.product))
    case .intro: return listed(index, .introductory(row.product))
    case .offerCode: return catalogued(index)
    case .promo:
      let isListed = world.offers.promotional[row.product].contains {
        $0.identifier == row.promotionalOfferID
      }
      guard isListed else { return catalogued(index) }
      let finding = listed(index, .promotional(row.product, row.promotionalOfferID))
      return finding.isDetermined || !isInCatalogue(row) ? finding : catalogued(index)
    }
  }

  /// Whether a true report has the purchase's transaction id and the price that fits its kind.
  ///
  /// Example: the report of an introductory row must have the introductory price. If a false price
  /// is reported at about that time, more customers must report the true price.
  func isReported(_ index: Int) -> Bool {
    let row = account.purchases[index]
    guard let terms = terms(of: row) else { return false }
    let isNamed = account.prices.contains { report in
      guard report.purchase == index, report.product == row.product, report.namedProduct == nil
      else { return false }
      let displayed = report.displayed
      guard displayed.currency == terms.currency else { return false }
      switch row.kind {
      case .regular, .oneTime: return displayed.price == terms.price
      case .trial, .intro:
        return displayed.introductory.map { $0.price == terms.price && $0.offer == row.offer }
          ?? false
      case .promo, .offerCode:
        return report.hasDiscounts
          && displayed.discounts.contains {
            $0.offer.identifier == row.promotionalOfferID && $0.price == terms.price
          }
      }
    }
    guard isNamed else { return false }
    let subject = subject(of: row)
    return trueReports.objection(subject, row.storefront, at: row.purchasedAt) != .outnumbered
  }

  func subject(of row: AccountPurchase) -> PriceSubject {
    switch row.kind {
    case .regular, .oneTime:
      row.commitment > 0 ? .instalment(row.product) : .regular(row.product)
    case .trial, .intro: .introductory(row.product)
    case .promo, .offerCode: .promotional(row.product, row.promotionalOfferID)
    }
  }

  private func terms(of row: AccountPurchase) -> PriceTerms? {
    guard row.paid % row.quantity == 0 else { return nil }
    return PriceTerms(
      currency: row.currency, price: row.paid / row.quantity, offer: row.offer)
  }

  /// Decides whether reports show the price of a row.
  ///
  /// They show the price only if it is equal in every storefront in which the row may have been
  /// bought.
  func listed(_ index: Int, _ subject: PriceSubject) -> Finding {
    let row = account.purchases[index]
    guard let places = place.candidates(index) else { return .placeUnknown }
    guard places.contains(row.storefront) else { return .misled }
    let moment = row.purchasedAt
    let found = Set(places.map { trueReports.level(subject, $0, at: moment)?.terms })
    guard found.count == 1 else { return .placeUnknown }
    if let objection = trueReports.objection(subject, row.storefront, at: moment) {
      let isListPrice = subject == .regular(row.product)
      let currencies = isListPrice ? world.listedPrices[row.product] ?? [] : []
      return currencies.contains(row.currency) ? .catalogued : objection
    }
    return found.first == terms(of: row) ? .listed : .misled
  }

  private func isInCatalogue(_ row: AccountPurchase) -> Bool {
    row.offer.map { world.offers.catalogued.contains($0.identifier) } ?? false
  }

  private func catalogued(_ index: Int) -> Finding {
    let row = account.purchases[index]
    guard let offer = row.offer, isInCatalogue(row) else { return .offerUnlisted }
    guard let places = place.candidates(index) else { return .placeUnknown }
    guard places.contains(row.storefront) else { return .misled }
    let currencies = Set(
      places.map { world.prices.step(row.product, $0, at: row.purchasedAt).currency })
    guard currencies.count == 1 else { return .placeUnknown }
    let price = world.cataloguedPrices(of: offer, ofProduct: row.product)
      .first { $0.0 == row.currency }?.1
    guard let price else { return .offerUnlisted }
    return price == row.paid ? .catalogued : .misled
  }
}
