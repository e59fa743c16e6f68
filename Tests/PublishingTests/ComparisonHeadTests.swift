@testable internal import Publishing
internal import Testing
@testable internal import Warehouse

/// The figure at the top of the page: the money that is equal in Apple's reports and in the facts.
struct ComparisonHeadTests {
  private func head(_ scope: ComparedScope?, fromReports: Int64? = nil, missingDays: Int64 = 0)
    throws -> String
  {
    var figures = SmallPage.figures()
    var comparison = ComparisonFigures()
    comparison.equalShare = 9_750
    (comparison.firstDay, comparison.lastDay, comparison.days) = ("2024-05-01", "2024-05-02", 2)
    comparison.scope = scope
    (comparison.shareFromReports, comparison.missingDays) = (fromReports, missingDays)
    figures.comparison = comparison
    let page = try DashboardPage.html(figures, chartScript: nil)
    let begin = try #require(page.firstRange(of: "<p class=\"equal\">"))
    let end = try #require(page[begin.upperBound...].firstRange(of: "</p>"))
    return String(page[begin.upperBound..<end.lowerBound])
  }

  @Test func `the head names the money that its figure leaves out`() throws {
    let words =
      "of the money in Apple's own reports and in the receipts is the same charge at the same price"
    let days = "2 days, 2024-05-01 to 2024-05-02."
    let link = "<a href=\"#reconciliation\">See the differences</a>"
    let part = "<strong>97.5\u{A0}%</strong>"
    let all = ComparedScope(currency: "USD", isConverted: false, missing: [])
    #expect(try head(all) == "\(part) \(words): \(days) \(link)")
    #expect(try head(nil) == "\(part) \(words): \(days) \(link)")
    let main = ComparedScope(
      currency: "USD", isConverted: false,
      missing: [.init("EUR", units: 410), .init("JPY", units: 2)])
    #expect(
      try head(main) == """
        \(part) \(words): \(days) Only in USD, the currency with the most units sold. Not in this \
        figure: 412 units in 2 other currencies; set reporting_currency and inputs.rates to compare all. \
        \(link)
        """)
    #expect(
      try head(all, fromReports: 4_020, missingDays: 3) == """
        \(part) \(words): \(days) 3 days between them without a report: their money is under \
        the cause no report, and not in this share. The price of at most 40.2\u{A0}% of it comes from these reports, so its agreement proves nothing. \(link)
        """)
    let converted = ComparedScope(
      currency: "EUR", isConverted: true, missing: [.init("KWD", units: 3), .init("TWD", units: 1)])
    #expect(
      try head(converted) == """
        \(part) \(words): \(days) Not in this figure, because no rate to EUR was found: \
        3 units in KWD, 1 unit in TWD. Add these rates under inputs.rates or inputs.more_rates. \
        \(link)
        """)
  }
}
