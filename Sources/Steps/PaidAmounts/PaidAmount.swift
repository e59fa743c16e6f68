public import Purchases
public import Amounts
public import PurchaseModel

/// The rules that can decide an amount, in the order in which they are tried: Docs/rules.md.
public enum PriceRule: String, Hashable, Sendable, CaseIterable {
  /// Observations contradict each other.
  case conflict
  /// Apple signed the charge.
  case signedPrice = "signed_price"
  /// Apple's own reports have one price for all that is sold alike that day.
  case appleReport = "apple_report"
  /// The owner knows the amount.
  case ownerCorrection = "owner_correction"
  /// A free trial.
  case freeTrial = "free_trial"
  /// A free promotional offer or offer code.
  case freeOffer = "free_offer"
  /// A believed report names the purchase.
  case reportedWithPurchase = "reported_with_purchase"
  /// An earlier row of the same offer period has a known price.
  case sameOffer = "same_offer"
  /// An earlier regular row of the chain has a known price.
  case previousRenewal = "previous_renewal"
  /// The same customer reported the price at another time.
  case customerReport = "customer_report"
  /// Other customers' reports tell the price in force.
  case priceHistory = "price_history"
  /// The catalogue's price of the offer.
  case catalogueOffer = "catalogue_offer"
  /// The catalogue's list price.
  case cataloguePrice = "catalogue_price"
  /// Nothing is known.
  case unresolved

  /// Whether it rests on prices of reports, of earlier rows or of the catalogue, all of which need
  /// a known unit of money.
  var dependsOnUnit: Bool {
    switch self {
    case .conflict, .signedPrice, .appleReport, .ownerCorrection, .freeTrial, .freeOffer,
      .unresolved:
      false
    case .reportedWithPurchase, .sameOffer, .previousRenewal, .customerReport, .priceHistory,
      .catalogueOffer, .cataloguePrice:
      true
    }
  }
}

/// The degree of trust in an amount.
public enum PriceStatus: String, Hashable, Sendable, CaseIterable {
  /// Signed by Apple, or reported with the purchase and plausible.
  case exact
  /// Shown by Apple's reports, which name no customer.
  case proven
  /// Follows from a report or an earlier row of the same customer.
  case derived
  /// Follows from the reports of other customers.
  case inferred
  /// Follows from the catalogue, or from a correction of the owner.
  case configured
  /// Free by the receipt's own flags.
  case zeroByRule = "zero_by_rule"
  /// Not known.
  case unresolved
  /// The observations contradict each other.
  case conflict
}

/// The payment mode of a row.
public enum RowPaymentMode: String, Hashable, Sendable, CaseIterable {
  /// Nothing was paid.
  case freeTrial = "free_trial"
  /// One price for each period.
  case payAsYouGo = "pay_as_you_go"
  /// One price for the whole offer.
  case payUpFront = "pay_up_front"
  /// The regular price.
  case standard
  /// Not known.
  case unknown
}

/// The source of a row's storefront.
public enum StorefrontSource: String, Hashable, Sendable, CaseIterable {
  /// The signed transaction of the purchase.
  case signed
  /// The report that names the purchase.
  case priceReport = "price_report"
  /// The export record around its response.
  case export
  /// Another time of the customer.
  case inferred
  /// Not known.
  case unknown
}

/// The amount paid for one revenue row, and the reasons for it.
public struct PaidAmount: Hashable, Sendable {
  /// The currency of the amounts.
  public var currency: Currency?
  /// The storefront.
  public var storefront: Storefront?
  /// The source of the storefront.
  public var storefrontSource: StorefrontSource
  /// The payment mode of the row.
  public var paymentMode: RowPaymentMode
  /// The regular price of one unit in force at the purchase.
  public var listPrice: Milliunits?
  /// The amount paid for the whole quantity, in milliunits, tax included; `nil` if unknown.
  public var paid: Milliunits?
  /// The least it can be; equals ``paid`` where known.
  public var low: Milliunits
  /// The most it can be; `nil` if no bound is known.
  public var high: Milliunits?
  /// The degree of trust in the amount.
  public var status: PriceStatus
  /// The rule that decided.
  public var rule: PriceRule
  /// The report behind it, by its evidence id.
  public var evidence: Int64?
  /// The interval whose price it is, by its position in the price history.
  public var interval: Int?
  /// The row the price comes from, by its position in the purchase book.
  public var basis: RowPosition?
  /// The developer's proceeds by Apple's reports, whole quantity; `nil` if unknown.
  public var proceeds: SalesReportTotals.Proceeds?
}
