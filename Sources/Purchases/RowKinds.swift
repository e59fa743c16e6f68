public import PurchaseModel

extension Purchase {
  /// What kind of row this is: the table of RULES section 2, from its first line to its last.
  public func kind(in catalogue: Catalogue) -> PeriodKind {
    let isOfferCode =
      offerCodeRefName != nil
      || promotionalOfferID.map { catalogue.hasOfferCode($0, of: productID) } ?? false
    switch (isTrialPeriod ?? false, isInIntroOfferPeriod ?? false, offerID) {
    case (true, _, nil): return .trial
    case (false, true, nil): return .intro
    case (_, _, .some): return isOfferCode ? .offerCode : .promo
    case (false, false, nil): return isSubscription ? .regular : .oneTime
    }
  }

  /// The name of the row's offer: a code's reference name, which receipts and signed transactions
  /// tell alike, else the id, which receipts tell of codes too.
  var offerID: OfferID? { offerCodeRefName ?? promotionalOfferID }
}
