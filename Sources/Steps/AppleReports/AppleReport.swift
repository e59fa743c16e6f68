/// A report of App Store Connect that tells money or events of in-app purchases.
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
  /// Financial: the settlements of a fiscal month.
  case financial

  /// Alphabetic order of the names.
  public static func < (left: AppleReport, right: AppleReport) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The report whose header this is; `nil` for any other table.
  ///
  /// Headers are told by names that only one report has, as versions differ in the rest.
  init?(_ header: ReportHeader) {
    let marks: [(AppleReport, [String])] = [
      (.financial, ["vendor identifier", "partner share"]),
      (.sales, ["sku", "product type identifier", "units"]),
      (.subscriber, ["subscriber id", "event date"]),
      (.subscriptionEvent, ["event", "event date", "quantity"]),
      (.subscription, ["active standard price subscriptions"]),
    ]
    guard let mark = marks.first(where: { $0.1.allSatisfy(header.has) }) else { return nil }
    self = mark.0
  }
}
