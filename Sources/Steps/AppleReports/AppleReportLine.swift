public import Amounts
public import CivilTime
public import PurchaseModel

/// A line of one of Apple's reports, with only the values that concern in-app purchases.
public struct AppleReportLine: Hashable, Sendable {
  /// The line number in the decompressed file; the header is line 1.
  public var line: Int
  /// The kind of report.
  public var report: AppleReport
  /// The day of the sale, refund or other event, in the reports' time zone (Pacific time).
  ///
  /// In a Financial report it is the line's end date; in a Subscription report, the report's day.
  public var day: CivilDay
  /// The product id; `nil` if the report has only the Apple ID.
  public var productID: String?
  /// Apple's number of the product (Apple ID); `nil` if unknown.
  public var appleID: String?
  /// The storefront of the customer.
  public var storefront: Storefront
  /// The currency in which the customer paid; `nil` in a report without prices.
  public var currency: Currency?
  /// The number of units: negative for a refund, 0 for a partial refund.
  ///
  /// In the Subscription report, it is the number of paid subscriptions; in the reports of App
  /// Analytics, the number of events, or of subscriptions in a state.
  public var units: Int64
  /// The price of one unit, never negative.
  ///
  /// `nil` for a partial refund, and in a report without prices.
  public var unitPrice: Milliunits?
  /// The price of all units together; negative for refunds.
  ///
  /// It is 0 in a report without prices, and in the Subscription report.
  public var amount: Milliunits
  /// The offer of the purchase.
  public var offer: AppleOffer
  /// Whether the line is a renewal; `nil` if unknown.
  public var isRenewal: Bool?
  /// Whether the line is a refund.
  public var isRefund: Bool
  /// Whether the subscriber kept an old price after a price increase; `nil` if unknown.
  public var isPreserved: Bool?
  /// The day of the refunded purchase; `nil` if unknown.
  public var purchaseDay: CivilDay?
  /// Apple's anonymous number of the subscriber; `nil` if unknown.
  public var subscriber: String?
  /// The app that sells the product; `nil` if unknown.
  ///
  /// It is the app's SKU in Sales, and its Apple ID in the reports of subscriptions.
  public var app: String?
  /// The developer's proceeds of one unit, or of a partial refund; never negative.
  ///
  /// `nil` if unknown.
  public var proceeds: Milliunits?
  /// The currency of the developer's proceeds; `nil` if the proceeds are unknown.
  public var proceedsCurrency: Currency?
  /// The name of the event or state, as Apple writes it; `nil` in reports without events.
  public var event: String?
  /// The day of Apple's settlement in Finance Detail; `nil` in other reports.
  public var settledOn: CivilDay?
  /// Whether the charge was made before the fiscal month in which Apple settled it.
  ///
  /// `nil` in reports other than Finance Detail, and if the first day of the month is unknown.
  public var isSettledLater: Bool?

  /// Creates a line without an offer; values that are not parameters are unknown (`nil`).
  public init(
    line: Int, report: AppleReport, day: CivilDay, storefront: Storefront, units: Int64,
    amount: Milliunits = .zero, isRefund: Bool = false
  ) {
    self.line = line
    self.report = report
    self.day = day
    self.storefront = storefront
    self.units = units
    self.amount = amount
    self.isRefund = isRefund
    offer = .none
  }

  /// Whether the line is a partial refund, for example after an upgrade: an amount for 0 units.
  public var isProration: Bool { units == 0 && amount != .zero }

  /// Whether the product is an auto-renewable subscription; `nil` if unknown.
  ///
  /// In Sales, only lines of subscriptions are marked as new or as a renewal.
  public var isSubscription: Bool? {
    switch report {
    case .sales: isRenewal != nil
    case .subscriber, .subscriptionEvent, .subscription, .analyticsEvent, .analyticsState: true
    case .financial, .financeDetail: nil
    }
  }
}

/// The offer in a line of a report.
public enum AppleOffer: Hashable, Comparable, Sendable {
  /// No offer: the regular price.
  case none
  /// An introductory offer, free or paid.
  case introductory
  /// A promotional offer, win-back offer or offer code, by its text in the report.
  ///
  /// The text is an identifier, a name, a promo code or an order type.
  case named(String)

  /// The offer as stored text, such as `intro` or `offer:win50`; `nil` without an offer.
  public var text: String? {
    switch self {
    case .none: nil
    case .introductory: "intro"
    case .named(let name): "offer:" + name
    }
  }

  /// Parses the stored text of an offer.
  public init(text: String?) {
    switch text {
    case nil: self = .none
    case "intro": self = .introductory
    case let text?: self = .named(String(text.dropFirst("offer:".count)))
    }
  }
}
