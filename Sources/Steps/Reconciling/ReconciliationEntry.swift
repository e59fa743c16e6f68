public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// A charge or a refund in the facts that is compared with Apple's reports.
public struct ReconciliationEntry: Hashable, Sendable {
  /// The key of the purchase.
  public var purchaseKey: Int64
  /// The day of the charge or refund, in Pacific time.
  public var day: CivilDay
  /// The day of the purchase, in Pacific time.
  public var purchaseDay: CivilDay
  /// The product of the purchase.
  public var productID: String
  /// Whether the product is an auto-renewable subscription.
  public var isSubscription: Bool
  /// The storefront of the purchase; `nil` if unknown.
  public var storefront: Storefront?
  /// Whether the storefront is only inferred from other purchases.
  public var isStorefrontInferred: Bool
  /// The currency of the payment; `nil` if unknown.
  public var currency: Currency?
  /// The offer of the purchase.
  public var offer: AppleOffer
  /// The quantity of the purchase; 0 if only one item of the purchase was refunded.
  public var quantity: Int64
  /// The price or refund of all units, not negative; `nil` if unknown.
  public var amount: Milliunits?
  /// Whether the entry is a refund; otherwise, it is a charge.
  public var isRefund: Bool
  /// A text that is equal for all entries of one spell; empty if the purchase is not a
  /// subscription.
  public var run: String
  /// The last day on which Apple may have charged this entry, in Pacific time, if it was paid late.
  ///
  /// `nil` for an entry without evidence of a late payment. Never after ``chargedBy``.
  public var lateUntil: CivilDay?
  /// The last Pacific day on which Apple's reports may have the charge: the day after the earliest
  /// snapshot that shows the purchase.
  ///
  /// `nil` if unknown.
  public var chargedBy: CivilDay?

  /// Creates an entry from its fields.
  public init(
    purchaseKey: Int64, day: CivilDay, productID: String, storefront: Storefront?,
    currency: Currency?, amount: Milliunits?
  ) {
    self.purchaseKey = purchaseKey
    self.day = day
    self.productID = productID
    self.storefront = storefront
    self.currency = currency
    self.amount = amount
    purchaseDay = day
    isStorefrontInferred = false
    isSubscription = true
    offer = .none
    quantity = 1
    isRefund = false
    run = ""
  }

  /// The price of one unit; `nil` if unknown or not a whole number of thousandths.
  var unitPrice: Milliunits? {
    guard let amount, quantity > 0, amount.rawValue % quantity == 0 else { return nil }
    return Milliunits(amount.rawValue / quantity)
  }
}

/// The key of a sum of the comparison: a product, a storefront, a currency and a month.
public struct ReconciliationCell: Hashable, Comparable, Sendable {
  /// The month of the cell, such as `2024-05`.
  public var month: String
  /// The product of the cell.
  public var productID: String
  /// The storefront of the cell; `nil` for rows of unknown storefront.
  public var storefront: Storefront?
  /// The currency of the cell; `nil` for rows of unknown currency.
  public var currency: Currency?

  /// Creates a cell from its fields.
  public init(month: String, productID: String, storefront: Storefront?, currency: Currency?) {
    self.month = month
    self.productID = productID
    self.storefront = storefront
    self.currency = currency
  }

  /// Orders cells by month, product, storefront and currency.
  public static func < (left: ReconciliationCell, right: ReconciliationCell) -> Bool {
    (left.month, left.productID, left.storefront?.rawValue ?? 0, left.currency?.rawValue ?? 0)
      < (
        right.month, right.productID, right.storefront?.rawValue ?? 0, right.currency?.rawValue ?? 0
      )
  }
}

/// The units and amounts in Apple's reports and in the facts, for one cell and cause.
public struct ReconciliationSum: Hashable, Sendable {
  /// Apple's units; refunds are negative.
  public var appleUnits: Int64 = 0
  /// The units of the facts; refunds are negative.
  public var ourUnits: Int64 = 0
  /// The amount in Apple's reports, in thousandths of the currency; refunds are negative.
  public var appleMilli: Int64 = 0
  /// The amount in the facts, in thousandths of the currency; refunds are negative.
  public var ourMilli: Int64 = 0

  /// Creates a sum of zeros.
  public init() {}

  /// The amount in Apple's reports minus the amount in the facts, in thousandths.
  public var difference: Int64 { appleMilli - ourMilli }
}

/// The result of the comparison of the facts with Apple's reports.
public struct Reconciliation: Hashable, Sendable {
  /// A row of the facts, with the cause of its difference from Apple's reports.
  public struct Row: Hashable, Sendable {
    /// The key of the purchase.
    public var purchaseKey: Int64
    /// Whether the row is the refund of the purchase; otherwise, it is the charge.
    public var isRefund: Bool
    /// The product, storefront, currency and month of the row.
    public var cell: ReconciliationCell
    /// The cause of the row's difference from Apple's reports.
    public var cause: ReconciliationCause
  }

  /// Apple's lines about products of other apps.
  public struct OtherProducts: Hashable, Sendable {
    /// The number of lines about products of other apps.
    public var lines = 0
    /// The product ids; for a product without a known product id, its Apple ID.
    public var products: Set<String> = []
  }

  /// The units and amounts in Apple's reports and in the facts, keyed by cell and cause.
  public internal(set) var sums: [ReconciliationCell: [ReconciliationCause: ReconciliationSum]] =
    [:]
  /// The number of lines per Apple ID without a known product.
  ///
  /// Such an Apple ID is neither in a Sales report nor in the catalogue.
  public var unknownNumbers: [String: Int] = [:]
  /// The lines about products of other apps.
  public var others = OtherProducts()
  /// The unreliable charges in Apple's reports.
  public var doubts = ReportDoubts()
  /// The compared rows of the facts, sorted by purchase key; the charge is before its refund.
  public internal(set) var rows: [Row] = []

  /// Creates an empty comparison.
  public init() {}
}
