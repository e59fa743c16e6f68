internal import PurchaseModel

/// The terms of an offer: payment mode, length, and price in percent of the product's price.
struct WorldOffer: Hashable, Sendable {
  /// The id of a promotional offer, or the reference name of an offer code; empty for introductory
  /// offers.
  var identifier = ""
  /// The offer's name in the catalogue; receipts do not contain it.
  var name: String?
  var mode: PaymentMode
  /// The number of periods, each with the length ``periodText``.
  var periods = 1
  /// The length of one period, in ISO 8601.
  var periodText: String
  /// One charge in percent of the product's regular price; 0 if free.
  var percent: Int64 = 0

  /// Creates a free offer with a length such as `P1W`.
  static func free(_ periodText: String, _ identifier: String = "") -> WorldOffer {
    WorldOffer(identifier: identifier, mode: .freeTrial, periodText: periodText)
  }

  /// Creates an offer at `percent` percent of the regular price, for `times` billing periods.
  static func reduced(
    _ product: WorldProduct, times: Int, percent: Int64, _ identifier: String = ""
  ) -> WorldOffer {
    WorldOffer(
      identifier: identifier, mode: .payAsYouGo, periods: times, periodText: product.periodText,
      percent: percent)
  }

  /// Creates an offer with one charge for its whole length.
  static func upFront(
    _ periodText: String, percent: Int64, _ identifier: String = ""
  ) -> WorldOffer {
    WorldOffer(
      identifier: identifier, mode: .payUpFront, periodText: periodText, percent: percent)
  }
}

/// An offer with its price in a storefront.
struct PricedOffer: Hashable, Sendable {
  var offer: WorldOffer
  /// The price of one charge, in thousandths.
  var price: Int64
}

extension WorldProduct {
  /// Multiplies a billing period: 3 times `P1M` is `P3M`.
  func length(ofPeriods count: Int) -> String {
    "P\((Int(periodText.dropFirst().dropLast()) ?? 1) * count)\(periodText.suffix(1))"
  }
}
