public import CivilTime

/// A report of App Store Connect about money or events of in-app purchases.
public enum AppleReport: String, Hashable, Comparable, Sendable, CaseIterable {
  /// Sales, summary: units and prices by product, country and day. Of the daily reports, only this
  /// has both `product_id` and Apple ID.
  case sales
  /// Subscriber, detailed: every charge and refund, with an anonymous number of the subscriber.
  case subscriber
  /// Subscription Event: numbers of events, without prices.
  case subscriptionEvent = "subscription_event"
  /// Subscription: the number of running subscriptions at each price on a day. Sums over several
  /// days would count subscriptions repeatedly.
  case subscription
  /// Financial: the settlements of a fiscal month, as sums.
  case financial
  /// Finance Detail: the settlements of a fiscal month, with the days of sale and settlement.
  case financeDetail = "finance_detail"

  /// Orders reports alphabetically by name.
  public static func < (left: AppleReport, right: AppleReport) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Detects the report by its header; `nil` for any other table.
  ///
  /// Looks for column names that occur in only one report, because other columns differ between
  /// versions.
  init?(_ header: ReportHeader) {
    let order: [AppleReport] = [
      .financeDetail, .financial, .sales, .subscriber, .subscriptionEvent, .subscription,
    ]
    guard
      let report = order.first(where: { $0.marks.allSatisfy { header.has($0.lowercased()) } })
    else { return nil }
    self = report
  }

  /// Column names that occur only in this report's header.
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

  /// Creates the text of a report for a day without sales: the identifying column names, without
  /// lines.
  ///
  /// The day is an extra column, so that the file states it under any name.
  public func textOfNothing(on day: CivilDay) -> String {
    (marks + ["Nothing on " + day.text]).joined(separator: "\t") + "\n"
  }
}
