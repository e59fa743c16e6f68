/// The reason why the exports determine an amount or not.
enum Finding: String, Sendable {
  /// The row's own flags make it free.
  case free
  /// A true report names the purchase and shows its price.
  case told
  /// An earlier charge of the same offer is known.
  case sameOffer = "same_offer"
  /// True reports of other customers show the price before and after.
  case listed
  /// The catalogue has the offer's price.
  case catalogued
  /// The subscription's earlier price is known, and every change since then.
  case renewed

  /// The exports do not show the storefront, and the storefronts have different prices.
  case placeUnknown = "place_unknown"
  /// Too few people reported that price.
  case unwitnessed
  /// It lies between the last report of one price and the first of another.
  case between
  /// Nearly as many reports, or more, show another price.
  case outnumbered
  /// A rise lies before it, and its effect on existing subscribers is unknown.
  case riseUnexplained = "rise_unexplained"
  /// The exports lack the subscription's first price.
  case beginningUnseen = "beginning_unseen"
  /// Nothing shows whether the customer had left and come back.
  case returnUnseen = "return_unseen"
  /// Nothing lists the offer's price.
  case offerUnlisted = "offer_unlisted"
  /// A promo code paid for it, which nothing shows.
  case promoCode = "promo_code"
  /// All evidence in the exports points to a wrong amount.
  case misled
  /// The row does not count as revenue.
  case excluded

  /// Whether the exports determine the amount.
  var isDetermined: Bool {
    switch self {
    case .free, .told, .sameOffer, .listed, .catalogued, .renewed: true
    default: false
    }
  }
}
