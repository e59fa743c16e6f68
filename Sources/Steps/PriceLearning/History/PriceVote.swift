internal import PurchaseModel

/// One price of a placed report: the regular price, or the price of an offer.
struct PriceVote: Sendable {
  /// The position of the report among the placed reports.
  var position: ReportPosition
  /// The offer; `nil` for the regular price.
  var offer: OfferPosition?
  var voter: Voter
  /// The time in Unix milliseconds, UTC.
  var time: Int64
  /// The price in thousandths.
  var price: Int64
  var isBelieved: Bool
  /// Whether the report was made more than a day after its purchase.
  var isLate = false
  /// The weight of the vote: 10 for a price that Apple signed, else 1.
  var weight: Int64 = 1

  /// The weight of a signed price; the weight of a report is 1.
  static let signedWeight: Int64 = 10
}
