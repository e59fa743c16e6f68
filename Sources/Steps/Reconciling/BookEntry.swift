public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// A charge or a refund of the facts, as it is compared with Apple's books.
public struct BookEntry: Hashable, Sendable {
  /// The purchase.
  public var purchaseKey: Int64
  /// The Pacific day of the charge or of the refund.
  public var day: CivilDay
  /// The Pacific day of the purchase.
  public var purchaseDay: CivilDay
  /// The product.
  public var productID: String
  /// Whether it is an auto-renewable subscription.
  public var isSubscription: Bool
  /// The storefront of the purchase; `nil` if unknown.
  public var storefront: Storefront?
  /// The currency of the payment; `nil` if unknown.
  public var currency: Currency?
  /// The offer.
  public var offer: AppleOffer
  /// The quantity of the purchase; 0 for the refund of an item of it.
  public var quantity: Int64
  /// The price or the refund of all units, from 0; `nil` if unknown.
  public var amount: Milliunits?
  /// Whether money went back.
  public var isRefund: Bool
  /// A text that the rows of one chain share between two lapses; empty for a purchase of its own.
  public var run: String
  /// The last Pacific day on which Apple may have charged for it, where the payment was late: in a
  /// grace period or in billing retry; `nil` for any other row.
  public var lateUntil: CivilDay?

  /// Creates a charge of one from its fields.
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
    isSubscription = true
    offer = .none
    quantity = 1
    isRefund = false
    run = ""
  }

  /// The price of one; `nil` if it is unknown or not a whole number.
  var unitPrice: Milliunits? {
    guard let amount, quantity > 0, amount.rawValue % quantity == 0 else { return nil }
    return Milliunits(amount.rawValue / quantity)
  }
}

/// A product in a storefront and currency, which is compared by itself.
public struct BookCell: Hashable, Comparable, Sendable {
  /// The month, such as `2024-05`.
  public var month: String
  /// The product.
  public var productID: String
  /// The storefront; `nil` if a row does not know it.
  public var storefront: Storefront?
  /// The currency; `nil` if a row does not know it.
  public var currency: Currency?

  /// Creates a cell from its fields.
  public init(month: String, productID: String, storefront: Storefront?, currency: Currency?) {
    self.month = month
    self.productID = productID
    self.storefront = storefront
    self.currency = currency
  }

  /// Sorted by month, product, storefront, currency.
  public static func < (left: BookCell, right: BookCell) -> Bool {
    (left.month, left.productID, left.storefront?.rawValue ?? 0, left.currency?.rawValue ?? 0)
      < (
        right.month, right.productID, right.storefront?.rawValue ?? 0, right.currency?.rawValue ?? 0
      )
  }
}

/// The counts of both sides in a cell for one cause.
public struct BookSum: Hashable, Sendable {
  /// Apple's units, refunds below 0.
  public var appleUnits: Int64 = 0
  /// Ours.
  public var ourUnits: Int64 = 0
  /// Apple's money, refunds below 0.
  public var appleMilli: Int64 = 0
  /// Ours.
  public var ourMilli: Int64 = 0

  /// Nothing.
  public init() {}

  /// Apple's money less ours.
  public var difference: Int64 { appleMilli - ourMilli }
}

/// The whole comparison.
public struct Reconciliation: Hashable, Sendable {
  /// A row of the facts behind a cause.
  public struct Row: Hashable, Sendable {
    /// The purchase.
    public var purchaseKey: Int64
    /// Whether its refund is meant.
    public var isRefund: Bool
    /// The cell it is counted in.
    public var cell: BookCell
    /// The cause.
    public var cause: ReconciliationCause
  }

  /// The lines of other apps' products.
  public struct OtherProducts: Hashable, Sendable {
    /// The number of lines.
    public var lines = 0
    /// The products, in order of their names.
    public var products: Set<String> = []
  }

  /// Units and money of both sides, keyed by cell and cause.
  public internal(set) var sums: [BookCell: [ReconciliationCause: BookSum]] = [:]
  /// Apple IDs that neither a Sales report nor the catalogue names, with their numbers of lines.
  public var unknownNumbers: [String: Int] = [:]
  /// The lines about products of unknown apps.
  public var others = OtherProducts()
  /// The parts of the reports that prove nothing.
  public var doubts = ReportDoubts()
  /// The rows of the facts, by purchase, charges first.
  public internal(set) var rows: [Row] = []

  /// Nothing to compare.
  public init() {}
}
