public import PurchaseModel

extension Purchase {
  /// Determines the kind of the row from its flags, its offer, and a service's amounts.
  ///
  /// Example: `is_trial_period` without an offer id → `trial`.
  public func kind(in catalogue: Catalogue) -> PeriodKind {
    let isOfferCode =
      offerCodeRefName != nil
      || promotionalOfferID.map { catalogue.hasOfferCode($0, of: productID) } ?? false
    let isIntroductory = isInIntroOfferPeriod ?? false || isIntroductoryByAmount
    switch (isTrialPeriod ?? false, isIntroductory, offerID) {
    case (true, _, nil): return .trial
    case (false, true, nil): return .intro
    case (_, _, .some): return isOfferCode ? .offerCode : .promo
    case (false, false, nil): return isSubscription ? .regular : .oneTime
    }
  }

  /// The identifier of the row's offer: the reference name of an offer code, else the offer id.
  ///
  /// Both receipts and signed transactions have the reference name of an offer code; only receipts
  /// have the id of the code.
  var offerID: OfferID? { offerCodeRefName ?? promotionalOfferID }
}
