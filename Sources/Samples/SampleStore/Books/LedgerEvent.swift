internal import CivilTime
internal import PurchaseModel

/// A product as Apple's reports describe it.
struct LedgerProduct: Sendable {
  /// The id in App Store Connect.
  var id: String
  /// Apple's number of the product.
  var appleID: String
  /// The SKU of the app that sells it.
  var app: String
  /// Apple's number of that app.
  var appNumber: String
  var kind: ProductKind
  /// The subscription group; empty for what does not renew.
  var group = ""
  /// One billing period, in ISO 8601.
  var periodText = ""

  /// Whether it renews by itself.
  var isSubscription: Bool { kind == .autoRenewableSubscription }
}

/// A charge or a refund, as Apple's reports contain it.
struct LedgerEvent: Sendable {
  /// The same charge or refund as perfect facts would contain it.
  struct Ours: Sendable {
    /// The Pacific day of the receipt's row.
    var day: CivilDay
    /// The money of all units, from 0.
    var milli: Int64
    /// Whether a response shows that the payment was late.
    var isLateShown = false
  }

  /// Its number in the store; copies of an event keep it.
  var number = 0
  /// The Pacific day of Apple's reports.
  var day: CivilDay
  /// The Pacific day of the refunded charge; that of the event itself for a charge.
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
  /// Whether a row of the chain came before.
  var isRenewal = false
  /// Below 0 for refunds, 0 for a part that went back.
  var units: Int64
  /// Of one unit, in thousandths; of the part that went back.
  var price: Int64
  /// Apple's number of the customer.
  var subscriber = 0
  /// The event in the receipts; `nil` if no response shows it.
  var ours: Ours?

  /// The money moved, in thousandths.
  var amount: Int64 { units == 0 ? -price : units * price }
  /// Whether money went back.
  var isRefund: Bool { units <= 0 }
}
