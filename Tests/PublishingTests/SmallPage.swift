internal import Amounts
@testable internal import Warehouse

/// Figures of a small report, to change before the page is built.
enum SmallPage {
  static let dollar = Currency("USD")

  /// One currency with one day of one product.
  static func figures(
    product: String = "pro", currency: Currency? = dollar, gross: Int64 = 9_990,
    low: Int64? = nil, high: Int64? = nil, unresolved: Int64 = 0, completeThrough: String? = nil
  ) -> PageFigures {
    var figures = PageFigures(
      run: RunFigures(
        runID: 7, kind: "run", asOf: "2021-08-09T18:26:02Z", finishedAt: "2021-08-10T03:15:00Z",
        completeThrough: completeThrough, versions: "0.1.0, rules 1", files: 2, records: 3,
        rejected: 0, contentDigest: "00ff"))
    let line = RevenueFigures(
      period: "2021-08-09", productID: product, gross: Milliunits(gross),
      low: Milliunits(low ?? gross),
      high: unresolved > 0 ? high.map(Milliunits.init) : Milliunits(gross),
      net: Milliunits(gross), unresolvedRows: unresolved, isComplete: false)
    var month = line
    month.period = "2021-08"
    var total = line
    total.period = ""
    total.productID = ""
    figures.currencies = [
      CurrencyFigures(
        currency: currency, total: total, refunds: .zero, months: [month], days: [line])
    ]
    return figures
  }
}
