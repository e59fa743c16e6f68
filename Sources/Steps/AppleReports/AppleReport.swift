public import CivilTime

/// A kind of report of App Store Connect about in-app purchases: sales, events, running
/// subscriptions or settlements.
public enum AppleReport: String, Hashable, Comparable, Sendable, CaseIterable {
  /// The Sales summary report: units and prices by product, country and day.
  ///
  /// It is the only daily report that has both the `product_id` and the Apple ID of a product.
  case sales
  /// The detailed Subscriber report: every charge and refund, with an anonymous number of the
  /// subscriber.
  case subscriber
  /// The Subscription Event report: the number of events of each type, without prices.
  case subscriptionEvent = "subscription_event"
  /// The Subscription report: the number of running subscriptions at each price on a day.
  ///
  /// The numbers of several days cannot be added, because a subscription runs on many days.
  case subscription
  /// The Financial report: the sums of Apple's settlements in a fiscal month.
  case financial
  /// The Finance Detail report: Apple's settlements in a fiscal month, with the days of sale and
  /// settlement.
  case financeDetail = "finance_detail"
  /// App Analytics' App Store Subscription Event report: trial starts, conversions, renewals.
  ///
  /// Apple makes an instance each day, with the last days in it; a newer one replaces a day.
  case analyticsEvent = "analytics_event"
  /// App Analytics' App Store Subscription State report: the number of subscriptions in each state.
  case analyticsState = "analytics_state"

  /// Orders reports alphabetically by name.
  public static func < (left: AppleReport, right: AppleReport) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Detects the kind of report by its header; `nil` for any other table.
  ///
  /// Searches for column names that occur together only in one report. Other columns differ between
  /// versions of a report.
  init?(_ header: ReportHeader) {
    let order: [AppleReport] = [
      .financeDetail, .financial, .sales, .subscriber, .subscriptionEvent, .subscription,
      .analyticsEvent, .analyticsState,
    ]
    guard
      let report = order.first(where: { $0.marks.allSatisfy { header.has($0.lowercased()) } })
    else { return nil }
    self = report
  }

  /// The column names that occur together only in this report.
  private var marks: [String] {
    switch self {
    case .financial: ["Vendor Identifier", "Extended Partner Share"]
    case .financeDetail: ["Transaction Date", "Settlement Date", "SKU"]
    case .sales: ["SKU", "Product Type Identifier", "Units"]
    case .subscriber: ["Subscriber ID", "Event Date"]
    case .subscriptionEvent: ["Event", "Event Date", "Quantity"]
    case .subscription: ["Active Standard Price Subscriptions"]
    case .analyticsEvent: ["Event Sub Type", "Subscription Identifier", "Counts"]
    case .analyticsState: ["State Metric", "Subscription Identifier", "Counts"]
    }
  }

  /// Whether the report is one of App Analytics.
  public var isOfAnalytics: Bool { self == .analyticsEvent || self == .analyticsState }

  /// Creates the text of a report for a day without sales: only column names.
  ///
  /// The name of an extra column contains the day, such as `Nothing on 2024-05-12`. So a person
  /// can find the day in the file, even after the file is renamed.
  public func textOfNothing(on day: CivilDay) -> String {
    (marks + ["Nothing on " + day.text]).joined(separator: "\t") + "\n"
  }
}
