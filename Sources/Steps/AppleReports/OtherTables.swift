/// Tables of App Store Connect that are recognized but not used.
enum OtherTables {
  /// The name of one of Apple's unused tables, recognized by its column names; else `nil`.
  ///
  /// Example: `Title, Pre-Order Start Date, Ordered` is a report of pre-orders. A table of another
  /// program with a column `ordered_at` is not a report of Apple.
  static func name(_ header: ReportHeader) -> String? {
    let names = names(header)
    func has(_ wanted: String...) -> Bool { wanted.contains(where: names.contains) }
    let isOfApp = has("app apple id", "app apple identifier", "apple identifier")
    if has("pre-order start date", "cumulative ordered") { return "a report of pre-orders" }
    if has("offer reference name") || isOfApp && has("redemptions", "offer code") {
      return "a report of offer redemptions"
    }
    if isOfApp, names.contains(where: { $0.contains("opt-in") }) { return "a report of opt-ins" }
    if has("extended partner share", "partner share", "bank account currency")
      || has("earned") && has("units sold", "total owed")
    {
      return payment
    }
    if isOfApp, has("counts", "installations", "impressions", "page views", "sessions", "downloads")
    {
      return "a report of App Analytics"
    }
    if has("provider country", "product type identifier") {
      return "a Sales report of another type"
    }
    return nil
  }

  /// The name of Apple's report of payments, which has units sold and earnings by region.
  static let payment = "a report of payments"

  /// The number of the last line in which the column names of a report of payments may be.
  static let titleLines = 10

  /// Returns true if a line has the column names of a report of payments.
  ///
  /// The report may have title lines above them.
  ///
  /// Example: `"Region (Currency)","Units Sold","Earned",…,"Proceeds","Bank Account Currency"`.
  static func isPaymentHeader(_ line: [UInt8]) -> Bool {
    let names = names(ReportHeader(line))
    return names.isSuperset(of: ["units sold", "earned"])
      && (names.contains("proceeds") || names.contains("bank account currency"))
  }

  /// The column names in a header; a report of payments separates them by commas.
  private static func names(_ header: ReportHeader) -> Set<String> {
    guard header.count == 1, let line = header.first else { return Set(header.names) }
    return Set(line.split(separator: ",").map { String($0).replacing("\"", with: "") })
  }

  /// Returns true if a line is the header of Finance Detail's second table: the sums by country.
  static func isSumsByCountry(_ line: [UInt8]) -> Bool {
    let cells = ReportRow.texts(line).map { $0.lowercased() }
    return cells.first == "country of sale" && cells.contains("extended partner share")
  }
}

extension ReportHeader {
  /// Whether this line is above the header of Finance Detail, such as `Start Date` and a day.
  var isPreamble: Bool {
    guard count <= 2, let first else { return false }
    return ["vendor name", "start date", "end date", "vendor number"].contains(first)
  }
}
