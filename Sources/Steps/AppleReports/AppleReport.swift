public import CivilTime

/// A report of App Store Connect about money or events of in-app purchases.
public enum AppleReport: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Sales, summary: units and prices by product, country and day. The one that knows both
  /// `product_id` and Apple ID.
  case sales
  /// Subscriber, detailed: every charge and refund of every anonymous subscriber.
  case subscriber
  /// Subscription Event: counts of events, without a price.
  case subscriptionEvent = "subscription_event"
  /// Subscription: how many run at which price; a stock, never a sum.
  case subscription
  /// Financial: the settlements of a fiscal month, in sums.
  case financial
  /// Finance Detail: the settlements of a fiscal month, with the days of sale and settlement.
  case financeDetail = "finance_detail"

  /// Alphabetic order of the names.
  public static func < (left: AppleReport, right: AppleReport) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The report whose header this is; `nil` for any other table.
  ///
  /// Headers are recognized by names that only one report has, as versions differ in the rest.
  init?(_ header: ReportHeader) {
    let order: [AppleReport] = [
      .financeDetail, .financial, .sales, .subscriber, .subscriptionEvent, .subscription,
    ]
    guard
      let report = order.first(where: { $0.marks.allSatisfy { header.has($0.lowercased()) } })
    else { return nil }
    self = report
  }

  /// The names that only this report's header has.
  private var marks: [String] {
    switch self {
    case .financial: ["Vendor Identifier", "Extended Partner Share"]
    case .financeDetail: ["Transaction Date", "Settlement Date", "SKU"]
    case .sales: ["SKU", "Product Type Identifier", "Units"]
    case .subscriber: ["Subscriber ID", "Event Date"]
    case .subscriptionEvent: ["Event", "Event Date", "Quantity"]
    case .subscription: ["Active Standard Price Subscriptions"]
    }
  }

  /// The report of a day without sales: a header of the names that identify the report, without
  /// lines.
  ///
  /// The day is a column too, as files of one content count once.
  public func textOfNothing(on day: CivilDay) -> String {
    (marks + ["Nothing on " + day.text]).joined(separator: "\t") + "\n"
  }
}
