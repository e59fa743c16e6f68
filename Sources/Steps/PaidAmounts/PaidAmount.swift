public import Purchases
public import Amounts
public import PurchaseModel

/// The rules that can decide an amount, in the order in which they are tried: Docs/rules.md.
public enum PriceRule: String, Hashable, Sendable, CaseIterable {
  /// The observations of the purchase contradict each other.
  case conflict
  /// The charge that Apple signed.
  case signedPrice = "signed_price"
  /// The only price in Apple's own reports for the row's product, storefront and day.
  case appleReport = "apple_report"
  /// The amount that the owner states in a correction.
  case ownerCorrection = "owner_correction"
  /// A free trial, which costs nothing.
  case freeTrial = "free_trial"
  /// A promotional offer or offer code that is free.
  case freeOffer = "free_offer"
  /// The amount of a charge with the purchase's transaction id.
  case reportedCharge = "reported_charge"
  /// The price in a report with the purchase's transaction id.
  case reportedWithPurchase = "reported_with_purchase"
  /// The known price of an earlier row of the same offer period.
  case sameOffer = "same_offer"
  /// The known price of an earlier regular row of the chain.
  case previousRenewal = "previous_renewal"
  /// A report of the same customer at another time.
  case customerReport = "customer_report"
  /// The price in force, from the reports of other customers.
  case priceHistory = "price_history"
  /// The amount that a hosted service states, where it can only be the list price.
  case servicePrice = "service_price"
  /// The price of the offer in the catalogue.
  case catalogueOffer = "catalogue_offer"
  /// The list price in the catalogue.
  case cataloguePrice = "catalogue_price"
  /// No rule finds the amount; there are only bounds.
  case unresolved

  /// Whether the rule uses prices of reports, earlier rows or the catalogue.
  ///
  /// Such prices can be used only if the unit of the currency is known.
  var dependsOnUnit: Bool {
    switch self {
    case .conflict, .signedPrice, .appleReport, .ownerCorrection, .freeTrial, .freeOffer,
      .reportedCharge, .unresolved:
      false
    case .reportedWithPurchase, .sameOffer, .previousRenewal, .customerReport, .priceHistory,
      .servicePrice, .catalogueOffer, .cataloguePrice:
      true
    }
  }
}

/// The confidence in an amount.
public enum PriceStatus: String, Hashable, Sendable, CaseIterable {
  /// Signed by Apple, or reported with the purchase and confirmed by other customers.
  case exact
  /// From the only price in Apple's reports for the row's product, storefront and day.
  ///
  /// The reports do not identify customers.
  case proven
  /// Derived from a report or an earlier row of the same customer, or from the fetched price list.
  case derived
  /// Inferred from the reports of other customers, or from Apple's reports without full proof.
  case inferred
  /// From the catalogue, or from a correction of the owner.
  case configured
  /// Free according to the receipt's own flags.
  case zeroByRule = "zero_by_rule"
  /// The amount is unknown.
  case unresolved
  /// The observations of the purchase contradict each other.
  case conflict
}

/// The payment mode of a row.
public enum RowPaymentMode: String, Hashable, Sendable, CaseIterable {
  /// The row is free for the whole period that it covers.
  case freeTrial = "free_trial"
  /// One price per period.
  case payAsYouGo = "pay_as_you_go"
  /// One price for the whole offer.
  case payUpFront = "pay_up_front"
  /// The regular price of the product.
  case standard
  /// The mode is unknown.
  case unknown
}

/// The kind of evidence that shows a row's storefront.
public enum StorefrontSource: String, Hashable, Sendable, CaseIterable {
  /// The signed transaction of the purchase.
  case signed
  /// The report with the purchase's transaction id.
  case priceReport = "price_report"
  /// The export record of the row's chain that is nearest in time to the purchase.
  case export
  /// Another row, report or record of the same customer.
  case inferred
  /// The storefront is unknown.
  case unknown
}

/// The amount paid for one revenue row, and how it was decided.
public struct PaidAmount: Hashable, Sendable {
  /// The currency of the amounts; `nil` if unknown.
  public var currency: Currency?
  /// The storefront of the purchase; `nil` if unknown.
  public var storefront: Storefront?
  /// The kind of evidence that shows ``storefront``.
  public var storefrontSource: StorefrontSource
  /// The payment mode of the row.
  public var paymentMode: RowPaymentMode
  /// The regular price of one unit at the time of the purchase; `nil` if unknown.
  public var listPrice: Milliunits?
  /// The amount paid for the whole quantity, in milliunits, tax included; `nil` if unknown.
  public var paid: Milliunits?
  /// The lower bound of the amount; equals ``paid`` if ``paid`` is known.
  public var low: Milliunits
  /// The upper bound of the amount; `nil` if there is none.
  public var high: Milliunits?
  /// The confidence in the amount.
  public var status: PriceStatus
  /// The rule that decided the amount.
  public var rule: PriceRule
  /// The evidence id of the report that decided the amount; `nil` without a report.
  public var evidence: Int64?
  /// The position in ``PriceHistory/intervals`` of the interval with this price.
  ///
  /// `nil` if the price does not come from an interval.
  public var interval: Int?
  /// The position in the purchase history of the earlier row with this price.
  ///
  /// `nil` if the price does not come from an earlier row.
  public var basis: RowPosition?
  /// The developer's proceeds from Apple's reports, for the whole quantity; `nil` if unknown.
  public var proceeds: SalesReportTotals.Proceeds?
}

extension RowPaymentMode {
  init(_ mode: PaymentMode) {
    switch mode {
    case .payAsYouGo: self = .payAsYouGo
    case .payUpFront: self = .payUpFront
    case .freeTrial: self = .freeTrial
    }
  }
}
