public import Amounts
public import CivilTime
public import PurchaseModel

/// A line of one of Apple's reports, as far as it concerns an in-app purchase.
public struct AppleReportLine: Hashable, Sendable {
  /// Its line in the inflated file, from 1, the header's.
  public var line: Int
  /// The report.
  public var report: AppleReport
  /// The day it happened, in the time zone of the reports.
  public var day: CivilDay
  /// The product; `nil` if the report knows only its Apple ID.
  public var productID: String?
  /// Apple's number of the product.
  public var appleID: String?
  /// The storefront.
  public var storefront: Storefront
  /// The currency that the customer paid in; `nil` in a report without prices.
  public var currency: Currency?
  /// The number of units charged; below 0 for refunds, 0 for a partial refund.
  public var units: Int64
  /// The price of one, never below 0; `nil` for a part refunded and in a report without prices.
  public var unitPrice: Milliunits?
  /// The price of all units; below 0 for refunds, 0 in a report without prices.
  public var amount: Milliunits
  /// The offer it was bought under.
  public var offer: AppleOffer
  /// Whether it is a renewal; `nil` if unknown.
  public var isRenewal: Bool?
  /// Whether money went back.
  public var isRefund: Bool
  /// Whether the price of before was preserved; `nil` if unknown.
  public var isPreserved: Bool?
  /// The day of the refunded purchase; `nil` if unknown.
  public var purchaseDay: CivilDay?
  /// Apple's anonymous number of the subscriber.
  public var subscriber: String?
  /// The app that sells the product: the app's SKU in Sales, its Apple ID in reports of
  /// subscriptions; `nil` if unknown.
  public var app: String?
  /// The developer's proceeds of one unit, or of the part that went back, never below 0.
  public var proceeds: Milliunits?
  /// The currency of the developer's proceeds.
  public var proceedsCurrency: Currency?
  /// The name of an event, as Apple writes it; `nil` in a report of something else.
  public var event: String?
  /// The day on which Apple settled it; `nil` outside of Finance Detail.
  public var settledOn: CivilDay?
  /// Whether it was charged before the fiscal month in which Apple settled it; `nil` outside of
  /// Finance Detail, and without the first day of the month.
  public var isSettledLater: Bool?

  /// Creates a line of a report; omitted values are unknown.
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

  /// Whether it is a refund of a part, as after an upgrade: Units 0 beside an amount.
  public var isProration: Bool { units == 0 && amount != .zero }

  /// Whether it is a subscription that renews; `nil` if unknown.
  ///
  /// In Sales a subscription is marked as new or as a renewal; other lines have neither mark.
  public var isSubscription: Bool? {
    switch report {
    case .sales: isRenewal != nil
    case .subscriber, .subscriptionEvent, .subscription: true
    case .financial, .financeDetail: nil
    }
  }
}

/// The offer of a report's line.
public enum AppleOffer: Hashable, Comparable, Sendable {
  /// The price of everybody.
  case none
  /// An introductory offer, free or paid.
  case introductory
  /// A promotional offer or an offer code, by its identifier, else by its name.
  case named(String)

  /// A text that names it, as stored: `intro`, `offer:win50`; `nil` for none.
  public var text: String? {
    switch self {
    case .none: nil
    case .introductory: "intro"
    case .named(let name): "offer:" + name
    }
  }

  /// Reads a stored text.
  public init(text: String?) {
    switch text {
    case nil: self = .none
    case "intro": self = .introductory
    case let text?: self = .named(String(text.dropFirst("offer:".count)))
    }
  }
}
