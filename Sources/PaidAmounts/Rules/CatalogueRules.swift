internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `catalogue_offer`: the catalogue's price of an offer code or promotional offer.
  func catalogueOffer(_ row: RowUnderDecision) throws(AmountError) -> RuleOutcome {
    guard row.kind == .promo || row.kind == .offerCode, row.offerIDs != (nil, nil) else {
      return .passed(.noOfferID)
    }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    let listed = catalogueOffers(row)
    guard let first = listed.first else { return .passed(.notInCatalogue) }
    var offer = first
    if listed.contains(where: { $0.price != first.price }) {
      let fitting = listed.filter {
        fits(row, mode: $0.paymentMode, numberOfPeriods: $0.numberOfPeriods, period: $0.period)
      }
      guard let one = fitting.first, fitting.allSatisfy({ $0.price == one.price }) else {
        return .passed(fitting.isEmpty ? .paymentModeDoesNotFit : .twoPricesFit)
      }
      offer = one
    }
    var decision = try Decision.known(offer.price, row, .configured)
    decision.mode = RowPaymentMode(offer.paymentMode)
    return .decided(decision)
  }

  /// The catalogue's paid offers of a row's id, kind and currency.
  func catalogueOffers(_ row: RowUnderDecision) -> [Catalogue.Offer] {
    guard let currency = row.currency,
      let product = catalogue.products[book.purchases[row.row].productID]
    else { return [] }
    let kind: Catalogue.OfferKind = row.kind == .offerCode ? .offerCode : .promo
    for id in [row.offerIDs.0, row.offerIDs.1].compactMap(\.self) {
      let listed = product.offers.filter {
        $0.identifier == id && $0.currency == currency && $0.paymentMode != .freeTrial
          && $0.kind == kind
      }
      if !listed.isEmpty { return listed }
    }
    return []
  }

  /// `catalogue_price`: the catalogue's list price of what is bought at the regular price.
  func cataloguePrice(_ row: RowUnderDecision) throws(AmountError) -> RuleOutcome {
    guard row.kind == .regular || row.kind == .oneTime else {
      return .passed(.kindHasNoListPrice)
    }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let group = row.group, let listed = groups.listPrice(group, at: row.time) else {
      return .passed(.noListPrice)
    }
    return .decided(try Decision.known(listed.price, row, .configured))
  }
}
