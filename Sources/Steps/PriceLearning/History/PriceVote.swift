internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// One price in a placed report: its regular price, or that of one of its offers.
struct PriceVote: Sendable {
  /// The report's position among the placed ones.
  var position: Int32
  /// The offer's position among those of all reports; -1 for the regular price.
  var offer: Int32
  var voter: Voter
  /// Unix milliseconds, UTC.
  var time: Int64
  /// Thousandths.
  var price: Int64
  var isBelieved: Bool
  /// How many reports it counts as: 10 where Apple signed it.
  var weight: Int64 = 1

  /// The weight of what Apple signed.
  static let signedWeight: Int64 = 10
}
