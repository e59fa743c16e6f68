public import Amounts
public import CivilTime
public import PurchaseModel

/// The rules that can decide an amount, in the order in which they are tried (RULES section 3).
public enum PriceRule: String, Hashable, Sendable, CaseIterable {
  /// Sightings contradict each other.
  case conflict
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
}

/// How far an amount can be trusted.
public enum PriceStatus: String, Hashable, Sendable, CaseIterable {
  /// Reported with the purchase and plausible.
  case exact
  /// Follows from a report or an earlier row of the same customer.
  case derived
  /// Follows from what others reported.
  case inferred
  /// Follows from the catalogue.
  case configured
  /// Free by the receipt's own flags.
  case zeroByRule = "zero_by_rule"
  /// Not known.
  case unresolved
  /// The sightings contradict each other.
  case conflict
}

/// How a row was paid.
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

/// How the storefront of a row is known.
public enum StorefrontSource: String, Hashable, Sendable, CaseIterable {
  /// The report that names the purchase.
  case priceReport = "price_report"
  /// The export record around its response.
  case export
  /// Another time of the customer.
  case inferred
  /// Not known.
  case unknown
}

/// What was paid for one revenue row, and why.
public struct PaidAmount: Hashable, Sendable {
  /// The currency of the amounts.
  public var currency: Currency?
  /// The storefront.
  public var storefront: Storefront?
  /// How the storefront is known.
  public var storefrontSource: StorefrontSource
  /// How the row was paid.
  public var paymentMode: RowPaymentMode
  /// The regular price of one unit in force at the purchase.
  public var listPrice: Milliunits?
  /// What was paid for the whole quantity, tax included; `nil` is not known.
  public var paid: Milliunits?
  /// The least it can be; equals ``paid`` where known.
  public var low: Milliunits
  /// The most it can be; `nil` where no bound is known.
  public var high: Milliunits?
  /// How far it can be trusted.
  public var status: PriceStatus
  /// The rule that decided.
  public var rule: PriceRule
  /// The report behind it, by its position in ``SightingSet/reports``.
  public var evidence: Int32?
  /// Distinct voters for that price in its interval.
  public var evidenceCount: Int32
  /// The row the price comes from, by its position in the purchase book.
  public var basis: Int32?
}

/// What is thought of a report (RULES section 3, "Plausibility").
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Plausible against what others reported.
  case believed
  /// Believed for want of anything to compare with.
  case noReference = "no_reference"
  /// Implausible.
  case outlier
  /// Implausible by a factor of 100 or 1,000: another unit.
  case unitError = "unit_error"
  /// In a currency nobody else reports for the storefront.
  case currencyMismatch = "currency_mismatch"

  /// Whether the report may decide amounts.
  public var isBelieved: Bool { self == .believed || self == .noReference }
}

/// A report with what the rules think of it.
public struct JudgedReport: Hashable, Sendable {
  /// The report's position in ``SightingSet/reports``.
  public var report: Int32
  /// What is thought of it.
  public var verdict: Verdict
  /// The price it was compared with.
  public var reference: Milliunits?
  /// The purchase it names, by its position in the purchase book, excluded ones included; `nil`
  /// where it names none, or one of another product.
  public var purchase: Int32?
  /// Its time: of the purchase it names, else when it was reported.
  public var time: Instant
}

/// Which of a product's prices a series follows.
public enum SeriesKind: Hashable, Sendable {
  /// The regular price.
  case regular
  /// The introductory price in a storefront, under a payment mode.
  case introductory(Storefront?, PaymentMode)
  /// The price of an offer.
  case offer(OfferID)
}

/// A price series: one price of a product in a currency over time.
public struct SeriesID: Hashable, Sendable {
  /// The product.
  public var productID: ProductID
  /// The currency.
  public var currency: Currency
  /// Which of its prices.
  public var kind: SeriesKind

  /// Names a series.
  public init(productID: ProductID, currency: Currency, kind: SeriesKind) {
    self.productID = productID
    self.currency = currency
    self.kind = kind
  }
}

/// An interval in which a price was in force, learned from believed reports.
public struct PriceInterval: Hashable, Sendable {
  /// The series.
  public var series: SeriesID
  /// When it begins; `nil` since ever.
  public var from: Instant?
  /// When it ends, itself excluded; `nil` for ever.
  public var to: Instant?
  /// The price of one unit, one period or the whole offer.
  public var price: Milliunits
  /// How the offer is paid; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// For how many periods the offer lasts, as most voters say.
  public var numberOfPeriods: Int32?
  /// The length of one of them, as most voters say.
  public var period: Period?
  /// Distinct voters for the price within the interval.
  public var voters: Int32
  /// Believed reports of the price within the interval.
  public var reports: Int32
  /// Reports of the series within the interval that were not believed.
  public var rejectedReports: Int32
  /// The first believed report of the price within the interval, by position.
  public var firstReport: Int32
}

/// A renewal whose price only the catalogue can settle: the price rose, and nothing says for whom.
public struct PriceChangeQuestion: Hashable, Sendable {
  /// The product.
  public var productID: ProductID
  /// The currency.
  public var currency: Currency
  /// The day the new price appears in the history.
  public var from: CivilDay
  /// The price before.
  public var oldPrice: Milliunits
  /// The price after.
  public var newPrice: Milliunits
  /// How many rows wait for the answer.
  public var rows: Int
}

/// What a renewal after a price rise is booked at.
public enum RenewalPolicy: String, Hashable, Sendable, CaseIterable {
  /// By the price history, the catalogue's changes and the customer's consent.
  case history
  /// At the price of the first purchase, for ever.
  case asPurchased = "as_purchased"
  /// At the newest price.
  case asCurrent = "as_current"
}

/// All amounts and the evidence behind them.
public struct PaidAmountBook: Sendable {
  /// One for each revenue row of the purchase book, at the same position.
  public var amounts: [PaidAmount] = []
  /// Every report that may decide something, in the order of ``SightingSet/reports``; reports of
  /// sandbox purchases are left out.
  public var reports: [JudgedReport] = []
  /// The price histories, by product, currency, kind and start.
  public var intervals: [PriceInterval] = []
  /// What only the catalogue can settle, by product, currency and day.
  public var questions: [PriceChangeQuestion] = []

  /// An empty book.
  public init() {}
}
