internal import CivilTime
internal import PurchaseModel

/// A product, with the values that Apple's reports show for it.
struct LedgerProduct: Sendable {
  /// The product's id in App Store Connect.
  var id: String
  /// The numeric Apple ID of the product.
  var appleID: String
  /// The SKU of the app that sells the product.
  var app: String
  /// The numeric Apple ID of the app.
  var appNumber: String
  var kind: ProductKind
  /// The subscription group; empty for products that do not renew.
  var group = ""
  /// One billing period, in ISO 8601.
  var periodText = ""

  /// Whether the product is an auto-renewable subscription.
  var isSubscription: Bool { kind == .autoRenewableSubscription }
}

/// A charge or a refund in Apple's reports.
struct LedgerEvent: Sendable {
  /// The row that complete facts would have for this event.
  struct ExpectedRow: Sendable {
    /// The Pacific day of the purchase or refund in the facts.
    var day: CivilDay
    /// The money of all units in thousandths, never negative.
    var milli: Int64
    /// Whether a response shows that the payment was late.
    var isLateShown = false
  }

  /// The event's number in the store, from 0; copies of an event have its number.
  ///
  /// -1 for sales of other apps and vendors.
  var number = 0
  /// The Pacific day of the report that contains the event.
  var day: CivilDay
  /// The Pacific day of the charge; for a refund, the day of the refunded charge.
  var purchaseDay: CivilDay
  var product: LedgerProduct
  /// The country of the App Store, ISO 3166-1 alpha-2.
  var country: String
  var currency: String
  var kind: SamplePeriodKind
  /// The promotional offer's identifier; empty for none.
  var offerID = ""
  /// The offer code's reference name; empty for none.
  var offerName = ""
  /// Whether the chain has a row before this charge.
  var isRenewal = false
  /// The number of units; negative for refunds, 0 for a partial refund.
  var units: Int64
  /// The price of one unit, or the amount of a partial refund, in thousandths.
  var price: Int64
  /// Apple's number for the customer (Subscriber ID).
  var subscriber = 0
  /// The row for this event in the facts; `nil` for a partial refund, and if no response contains
  /// the event.
  var expected: ExpectedRow?

  /// The money of the event in thousandths, negative for refunds.
  var amount: Int64 { units == 0 ? -price : units * price }
  /// Whether the event is a full or a partial refund.
  var isRefund: Bool { units <= 0 }
}
