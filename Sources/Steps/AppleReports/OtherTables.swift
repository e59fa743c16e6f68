/// Tables of App Store Connect that are recognized but not used.
enum OtherTables {
  /// The name of a table, recognized by its header.
  static func name(_ header: ReportHeader) -> String {
    func mentions(_ words: String...) -> Bool {
      header.names.contains { name in words.contains { name.contains($0) } }
    }
    if mentions("pre-order start", "pre-ordered", "ordered", "cumulative ordered") {
      return "a report of pre-orders"
    }
    if mentions("offer reference name", "offer code") || mentions("redemptions", "redeemed") {
      return "a report of offer redemptions"
    }
    if mentions("opt-in") { return "a report of opt-ins" }
    if mentions("extended partner share", "partner share", "bank account", "earned") {
      return "a sheet of a payment"
    }
    if mentions("installations", "impressions", "page views", "sessions", "downloads") {
      return "a report of App Analytics"
    }
    if mentions("provider country", "product type identifier") { return "another report of sales" }
    return "a table of an unknown kind"
  }

  /// Returns true for the header of Finance Detail's second table, the sums by country.
  static func isSumsByCountry(_ line: [UInt8]) -> Bool {
    let cells = ReportRow.texts(line).map { $0.lowercased() }
    return cells.first == "country of sale" && cells.contains("extended partner share")
  }
}

extension ReportHeader {
  /// Whether this is a line before the header, with a name and a value.
  var isPreamble: Bool {
    guard count <= 2, let first else { return false }
    return ["vendor name", "start date", "end date", "vendor number"].contains(first)
  }
}
