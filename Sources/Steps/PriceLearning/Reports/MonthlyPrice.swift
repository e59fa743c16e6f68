internal import CivilTime
internal import PurchaseModel

/// Recognizes the price of one month of a subscription that is paid for several months.
///
/// Some SDKs report this price instead of the price of the period. Example: 5.33 USD for a quarter
/// at 15.99 USD.
struct MonthlyPrice: Sendable {
  /// The number of months in the period of the subscription; above 1.
  private let months: Int64

  /// Creates the check for a product; `nil` for a period of one month or of days, and if the
  /// catalogue does not list the period.
  init?(_ product: Catalogue.Product?) {
    guard let period = product?.subscriptionPeriod, period.unit == .month, period.count > 1
    else { return nil }
    months = Int64(period.count)
  }

  /// Returns true if a price is the price of one month of another price, both in thousandths.
  ///
  /// The quotient is accurate to 0.01, or to 1 if the price is a whole number.
  func isOneMonth(_ price: Int64, of whole: Int64) -> Bool {
    abs(price - whole / months) <= (price % 1000 == 0 ? 1000 : 10)
  }
}
