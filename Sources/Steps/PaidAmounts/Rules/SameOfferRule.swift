internal import Amounts
internal import PurchaseModel
internal import Purchases

extension PriceEvidence {
  /// `same_offer`: the price of an earlier row of the same offer period.
  ///
  /// A free row of the offer period is not used for a paid row. Example: an offer of three months
  /// at 0.99, pay as you go. A report with the transaction id of the first row shows 0.99 → the
  /// second and third row are 0.99, derived.
  func sameOffer(
    _ row: PricingContext, _ chainState: ChainPricingState, _ notes: inout DecisionNotes
  ) throws(AmountError) -> RuleOutcome {
    guard row.kind.isOffer, let period = timelines.rows[row.row].offerPeriod else {
      return .passed(.notAnOffer)
    }
    guard row.currency != nil else { return .passed(.currencyUnknown) }
    guard let earlier = chainState.offerRow(market: row.market, period: period),
      hasMarket(of: row, earlier), let price = rebasedPrice(ofOffer: earlier, row)
    else { return .passed(.noEarlierRowOfOffer) }
    notes.add(candidate(earlier, row))
    var decision = try Decision.known(price, row, earlier.amount.status.carriedOn)
    decision.mode = earlier.amount.paymentMode
    decision.evidence = earlier.amount.evidence
    decision.interval = earlier.interval
    decision.basis = RowPosition(earlier.row)
    return .decided(decision)
  }

  /// Whether a late report has another price than an earlier row of the same offer period.
  ///
  /// A report is late if it was made more than a day after its purchase. The current row then keeps
  /// the price of the earlier row. Example: an offer of three months at 3.99 each. The offer's
  /// price falls to 2.99, and the app reports the third month as 2.99 two days after its renewal →
  /// the third month is 3.99.
  func contradictsOffer(
    _ price: ReportedPrice, _ row: PricingContext, _ chainState: ChainPricingState
  ) -> Bool {
    guard reports[price.position.index].isLate, row.kind.isOffer,
      let period = timelines.rows[row.row].offerPeriod,
      let earlier = chainState.offerRow(market: row.market, period: period),
      hasMarket(of: row, earlier), let kept = rebasedPrice(ofOffer: earlier, row)
    else { return false }
    return kept != amount(of: price)
  }
}

extension PriceStatus {
  /// The status of an amount that is copied from a row with this status.
  ///
  /// `inferred` and `configured` remain; any other status becomes `derived`.
  var carriedOn: PriceStatus { self == .inferred || self == .configured ? self : .derived }
}

extension RuleText {
  static let sameOffer = RuleText(
    .sameOffer,
    condition: "An earlier paid row of the same offer period, product and currency has a known "
      + "price.",
    result:
      "The same price; inferred or configured if the earlier row has that status, else derived.",
    why: "An offer keeps its price for all its periods.")
}
