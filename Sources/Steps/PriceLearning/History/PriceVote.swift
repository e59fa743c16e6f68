internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// One price in a placed report: its regular price, or that of one of its offers.
struct PriceVote: Sendable {
  /// The report's position among the placed ones.
  var position: ReportPosition
  /// The offer; `nil` for the regular price.
  var offer: OfferPosition?
  var voter: Voter
  /// Unix milliseconds, UTC.
  var time: Int64
  /// Thousandths.
  var price: Int64
  var isBelieved: Bool
  /// The weight of the vote, in reports: 10 for a price that Apple signed, else 1.
  var weight: Int64 = 1

  /// The weight of a signed price, in reports.
  static let signedWeight: Int64 = 10
}
