internal import CivilTime
internal import PurchaseModel

/// Recognizes the price of one month of a subscription that is paid for several months.
///
/// Some SDKs report this price instead of the price of the period. Example: 5.33 USD for a quarter
/// at 15.99 USD.
struct MonthlyPrice: Sendable {
  /// The number of months in the period of the subscription; at least 3.
  private let months: Int64

  /// Creates the check for a product.
  ///
  /// `nil` if the catalogue does not list the product's period, or for a period below three months.
  /// A period of two months is not checked, because half of its price may be a sale.
  init?(_ product: Catalogue.Product?) {
    guard let period = product?.subscriptionPeriod, period.unit == .month, period.count > 2
    else { return nil }
    months = Int64(period.count)
  }

  /// Returns true if a price is that of one month, given the price of the whole period; both in
  /// thousandths.
  ///
  /// The price may differ from the exact quotient by 0.01, or by 1 if both prices are whole
  /// numbers. Example: 1,033 JPY for a year at 12,400 JPY.
  func isOneMonth(_ price: Int64, of whole: Int64) -> Bool {
    let isWhole = price % 1000 == 0 && whole % 1000 == 0
    return abs(price - whole / months) <= (isWhole ? 1000 : 10)
  }
}
