/// Tables of App Store Connect that are recognized but not used.
enum OtherTables {
  /// Recognizes a table by column names that only Apple uses, and returns a name for messages.
  ///
  /// `nil` for any other table.
  ///
  /// Example: a table with the column `Pre-Order Start Date` → `a report of pre-orders`. A table of
  /// another program with a column `ordered_at` → `nil`.
  static func name(_ header: ReportHeader) -> String? {
    let names = names(header)
    func has(_ wanted: String...) -> Bool { wanted.contains(where: names.contains) }
    let isOfApp = has("app apple id", "app apple identifier", "apple identifier")
    if has("pre-order start date", "cumulative ordered") { return "a report of pre-orders" }
    if has("offer reference name") || isOfApp && has("redemptions", "offer code") {
      return "a report of offer redemptions"
    }
    if isOfApp, names.contains(where: { $0.contains("opt-in") }) {
      return "a report of marketing opt-ins"
    }
    if has("extended partner share", "partner share", "bank account currency")
      || has("earned") && has("units sold", "total owed")
    {
      return payment
    }
    let analytics = [
      "counts", "installations", "impressions", "page views", "sessions", "downloads", "crashes",
      "purchases", "proceeds in usd", "sales in usd", "paying users", "event sub type",
    ]
    if let missing = AnalyticsColumns.missing(in: header), let first = missing.first {
      return "a report of App Analytics about subscriptions without the column \(first)"
    }
    if isOfApp, analytics.contains(where: names.contains) {
      return "a report of App Analytics"
    }
    if has("provider country", "product type identifier") { return "another report of sales" }
    return nil
  }

  /// The name, for messages, of a report about Apple's payments to the developer.
  static let payment = "a report of payments"

  /// The highest line number at which a report of payments may have its header.
  static let titleLines = 10

  /// Returns true if a line has the column names of a report of Apple's payments.
  ///
  /// Title lines may precede the line. Example:
  /// `"Region (Currency)","Units Sold","Earned",…,"Proceeds","Bank Account Currency"`.
  static func isPaymentHeader(_ line: [UInt8]) -> Bool {
    let names = names(ReportHeader(line))
    return names.isSuperset(of: ["units sold", "earned"])
      && (names.contains("proceeds") || names.contains("bank account currency"))
  }

  /// Splits a header into column names: by commas for a report of payments, else by tabs.
  private static func names(_ header: ReportHeader) -> Set<String> {
    guard header.count == 1, let line = header.first else { return Set(header.names) }
    return Set(line.split(separator: ",").map { String($0).replacing("\"", with: "") })
  }

  /// Returns true for the header of Finance Detail's second table, the sums by country.
  static func isSumsByCountry(_ line: [UInt8]) -> Bool {
    let cells = ReportRow.texts(line).map { $0.lowercased() }
    return cells.first == "country of sale" && cells.contains("extended partner share")
  }
}

extension ReportHeader {
  /// Whether this line is not a header, but one of the lines before the header.
  ///
  /// Such a line has a name and a value, for example `Start Date` and a day.
  var isPreamble: Bool {
    guard count <= 2, let first else { return false }
    return ["vendor name", "start date", "end date", "vendor number"].contains(first)
  }
}
