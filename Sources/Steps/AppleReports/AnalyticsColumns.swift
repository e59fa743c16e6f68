/// The columns of App Analytics' reports about subscriptions.
///
/// Apple adds and renames columns. A column that is not known here may change what a count means,
/// so the run names it.
enum AnalyticsColumns {
  /// Finds the columns that this program does not know, in alphabetical order.
  static func unknown(in header: ReportHeader) -> [String] {
    header.names.filter { !known.contains($0) && !$0.isEmpty }
  }

  /// Finds the columns without which a report about subscriptions cannot be read.
  ///
  /// - Returns: The missing columns; `nil` if the table is not one of App Analytics' reports about
  ///   subscriptions.
  static func missing(in header: ReportHeader) -> [String]? {
    guard header.has("app apple identifier"),
      header.has("subscription name") || header.has("subscription identifier")
        || header.has("state metric")
    else { return nil }
    let isOfStates = header.has("state metric") || !header.has("event date")
    return [isOfStates ? "state metric" : "event sub type", "subscription identifier", "counts"]
      .filter { !header.has($0) }
  }

  private static let known: Set<String> = [
    "app apple identifier", "app download date", "app download source info",
    "app download source type", "app name", "billing frequency", "billing period", "campaign",
    "cancellation reason", "churn tenure", "counts", "date", "device", "event date",
    "event grouping", "event sub type", "family sharing", "offer duration", "offer id",
    "offer name", "offer pricing", "offer type", "original purchase device", "page title",
    "page type", "paid service days recovered", "plan change type", "platform version",
    "pre-order", "previous subscription identifier", "previous subscription name", "source info",
    "source type", "state metric", "subscription duration", "subscription group",
    "subscription group identifier", "subscription identifier", "subscription name", "territory",
    "vanity code",
  ]
}
