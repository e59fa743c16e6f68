internal import Amounts

extension PlacedReport {
  /// Whether the price was paid: a price that Apple signed, or a charge.
  ///
  /// The prices that others were shown do not contradict such a price.
  var isProof: Bool { isSigned || isCharge }
}

extension PriceInference {
  /// The factor by which a charge may at most differ from the price in force.
  static let farthestCharge: Int64 = 50

  /// Returns the verdict on a charge that has a vote.
  ///
  /// The charge is believed, whatever others were shown, unless it is 50 times away from the price
  /// with which it is compared. Then it has no vote: it is a unit error, or an amount of another
  /// kind. Example: a charge of 8.99 is believed beside seventeen reports of 29.99; a charge of
  /// 899.00 beside reports of 8.99 is a unit error.
  static func verdict(onCharge price: Milliunits, _ verdict: Verdict, _ reference: Int64?)
    -> Verdict
  {
    guard price > .zero else { return .charged }
    guard let reference, reference > 0 else { return .noReference }
    let isFar =
      price.rawValue / farthestCharge >= reference || reference / farthestCharge >= price.rawValue
    guard isFar else { return .believed }
    return verdict == .unitError ? .unitError : .charged
  }
}
