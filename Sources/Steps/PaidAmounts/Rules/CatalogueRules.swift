internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `catalogue_offer`: the catalogue's price of an offer code or promotional offer.
  ///
  /// Example: the catalogue has `win50` at 4.99 USD → a row with that offer is 4.99.
  func catalogueOffer(_ row: PricingContext, _ notes: inout DecisionNotes)
    throws(AmountError) -> RuleOutcome
  {
    guard row.kind == .promo || row.kind == .offerCode, row.offerIDs != (nil, nil) else {
      return .passed(.noOfferID)
    }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    let listed = catalogueOffers(row)
    for offer in listed {
      notes.add(
        PriceCandidate(
          origin: .catalogue, price: offer.price, currency: offer.currency,
          paymentMode: offer.paymentMode))
    }
    guard let first = listed.first else { return .passed(.notInCatalogue) }
    var offer = first
    if listed.contains(where: { $0.price != first.price }) {
      let fitting = listed.filter {
        fits(
          row, mode: $0.paymentMode,
          length: OfferLength(numberOfPeriods: $0.numberOfPeriods, period: $0.period))
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

  /// The catalogue's paid offers with the row's offer id, kind and currency.
  ///
  /// Only offers that apply on the day of the purchase, in the row's storefront, are returned.
  private func catalogueOffers(_ row: PricingContext) -> [Catalogue.Offer] {
    guard let currency = row.currency,
      let product = catalogue.products[book.purchases[row.row].productID]
    else { return [] }
    let kind: Catalogue.OfferKind = row.kind == .offerCode ? .offerCode : .promo
    for id in row.presentOfferIDs {
      let listed = product.offers.filter {
        $0.identifier == id && $0.currency == currency && $0.paymentMode != .freeTrial
          && $0.kind == kind && $0.days.contains(row.time.day)
          && ($0.storefront == nil || row.storefront == nil || $0.storefront == row.storefront)
      }
      let own = listed.filter { $0.storefront != nil && $0.storefront == row.storefront }
      if !listed.isEmpty { return own.isEmpty ? listed : own }
    }
    return []
  }

  /// `catalogue_price`: the catalogue's list price, for a row bought at the regular price.
  ///
  /// Example: the catalogue lists 9.99 USD from March → a purchase of April without reports is
  /// 9.99.
  func cataloguePrice(_ row: PricingContext, _ notes: inout DecisionNotes)
    throws(AmountError) -> RuleOutcome
  {
    guard row.kind == .regular || row.kind == .oneTime else {
      return .passed(.kindHasNoListPrice)
    }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let market = row.market else { return .passed(.noListPrice) }
    let listed = row.lists.compactMap { prices.listPrice(market, in: $0, at: row.time) }
    for price in listed {
      notes.add(
        PriceCandidate(
          origin: .catalogue, price: price.price, currency: row.currency,
          distance: price.from.since(row.time)))
    }
    guard let first = listed.first else { return .passed(.noListPrice) }
    guard listed.allSatisfy({ $0.price == first.price }) else { return .passed(.priceListsDiffer) }
    return .decided(try Decision.known(first.price, row, .configured))
  }
}

extension RuleText {
  static let catalogueOffer = RuleText(
    .catalogueOffer,
    condition:
      "The row has an offer code or promotional offer, and the catalogue has its price in the "
      + "row's currency.",
    result: "That price; configured.",
    why:
      "Offer codes are redeemed in the App Store or on Apple's sheet, so apps often do not show "
      + "the price.")

  static let cataloguePrice = RuleText(
    .cataloguePrice,
    condition:
      "A regular or one-time row; the catalogue lists a price in force in the row's currency, "
      + "and in the row's storefront if the catalogue distinguishes storefronts.",
    result: "List price × quantity; configured.",
    why: "Without any report, the price list is the best evidence.")
}
