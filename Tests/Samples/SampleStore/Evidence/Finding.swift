/// The reason why the exports determine an amount, or why they do not determine it.
enum Finding: String, Sendable {
  /// The flags of the row, such as `is_trial_period`, make it free.
  case free
  /// A true report has the purchase's transaction id and price.
  case reported = "told"
  /// The exports have the charge: Apple's decoded transaction, or a row of the owner's table.
  case charged
  /// The previous row of the chain belongs to the same offer, and its amount is determined.
  case sameOffer = "same_offer"
  /// True reports show the price at the time of the purchase (``TrueReportEvidence``).
  case listed
  /// The catalogue has the offer's price.
  case catalogued
  /// The price of an earlier row is determined, and the effect of every price change since then is
  /// known.
  case renewed

  /// The exports do not show the storefront, and the possible storefronts have different prices.
  case placeUnknown = "place_unknown"
  /// Too few customers reported the price.
  case unwitnessed
  /// The purchase was made after the last report of one price, and before the first of the next
  /// price.
  case between
  /// At about the time of the row, at least as many customers report a false price as report the
  /// true price.
  case outnumbered
  /// The price rose before the row, and the effect on existing subscribers is unknown.
  case riseUnexplained = "rise_unexplained"
  /// The exports lack the first rows of the plan, and reports do not show its starting price.
  case beginningUnseen = "beginning_unseen"
  /// The exports do not show whether the customer left and came back.
  case returnUnseen = "return_unseen"
  /// Neither reports nor the catalogue have the offer's price.
  case offerUnlisted = "offer_unlisted"
  /// A promo code paid for the purchase; the exports do not show this.
  case promoCode = "promo_code"
  /// All evidence in the exports points to a wrong amount.
  case misled
  /// The row is excluded from revenue.
  case excluded

  /// Whether the exports determine the amount.
  var isDetermined: Bool {
    switch self {
    case .free, .reported, .charged, .sameOffer, .listed, .catalogued, .renewed: true
    default: false
    }
  }
}
