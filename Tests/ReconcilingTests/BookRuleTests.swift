import Amounts
import AppleReports
import CivilTime
import PurchaseModel
import Reconciling
import Testing

/// Comparisons as they occur for a real vendor: several apps, gaps, contradictions and partial
/// refunds.
struct BookRuleTests {
  @Test func `products of other apps are told apart, and a new product of a known app is not`() {
    var books = Books()
    books.known = ["pro"]
    books.apple("05-10", 1, 9990, app: "NOTES")
    books.ours("05-10", 9990)
    books.apple("05-10", 3, 4990, of: "chess.gold", app: "CHESS")
    books.apple("05-10", 1, 1990, of: "notes.extra", app: "NOTES")
    // 3 × 4.99 of an app without a known product, and 1.99 of the app that sells `pro`.
    #expect(
      books.sums() == [
        "2024-05 chess.gold USA USD other_products 3:0 14970:0",
        "2024-05 notes.extra USA USD receipt_missing 1:0 1990:0",
        "2024-05 pro USA USD equal 1:1 9990:9990",
      ])
    #expect(books.result().others.lines == 1)
    #expect(books.result().others.products == ["chess.gold"])
  }

  @Test func `two reports that differ are told, whatever they differ in`() {
    var books = Books()
    for report in [AppleReport.sales, .subscriber] {
      books.apple("05-10", 2, 9990, report: report)
      books.apple("05-11", 1, 9990, in: "DEU", "EUR", report: report)
      books.apple("05-12", -1, 9990, report: report)
    }
    #expect(books.result().doubts == ReportDoubts())
    // Free units and partial refunds are not contradictions between the reports.
    books.apple("05-10", 4, 0, report: .sales)
    books.apple("05-10", 0, 3330, report: .subscriber)
    #expect(books.result().doubts == ReportDoubts())
    books.apple("05-10", 1, 9990, report: .subscriber)
    books.apple("05-13", 1, 4990, report: .sales)
    books.apple("05-13", 1, 4970, report: .subscriber)
    let differing = books.result().doubts.differing
    #expect(
      differing.map { "\($0.place.day.text) \($0.salesUnits):\($0.subscriberUnits)" } == [
        "2024-05-10 2:3", "2024-05-13 1:1",
      ])
  }

  @Test
  func `charges of a doubted place are evidence for neither side, and refunds keep their cause`() {
    var books = Books()
    for report in [AppleReport.sales, .subscriber] {
      books.apple("05-10", 2, 9990, report: report)
      books.apple("05-10", 1, 9990, in: "DEU", "EUR", report: report)
      books.apple("05-20", -1, 9990, bought: "05-10", report: report)
    }
    books.apple("05-10", 1, 9990, report: .subscriber)
    books.ours("05-10", 9990, refunded: "05-20")
    books.ours("05-10", 9990)
    books.ours("05-10", 9990, in: "DEU", "EUR")
    // On May 10, Sales has 2 units in the United States, and the Subscriber report 3.
    #expect(
      books.sums() == [
        "2024-05 pro DEU EUR equal 1:1 9990:9990", "2024-05 pro USA USD equal -1:-1 -9990:-9990",
        "2024-05 pro USA USD doubted 3:2 29970:19980",
      ])
  }

  @Test func `a day with a multiple of all days before proves nothing`() {
    var books = Books(from: "2024-04-01")
    books.apple("05-01", 100, 9990, report: .sales)
    books.apple("05-02", 1_000, 9990, report: .sales)
    books.apple("05-20", 20_001, 9990, report: .sales)
    books.apple("05-21", 20_001, 9990, report: .sales)
    books.apple("04-01", 2_000, 990, of: "first", report: .sales)
    // The 20th has more than 20 × 1,000 units; the 21st has no more than the 20th. 1,000 units are
    // too few for the check, and there are no reports before April 1.
    #expect(
      books.result().doubts.implausible.map { "\($0.day.text) \($0.productID)" } == [
        "2024-05-20 pro"
      ])
  }

  @Test func `a refund of an item is the part that Apple gave back that day`() {
    var books = Books()
    books.apple("05-10", 1, 9990)
    books.apple("05-20", 0, 1990, bought: "05-10")
    books.apple("05-22", -1, 500, bought: "05-10")
    books.ours("05-10", 9990, items: [(day: "05-21", amount: 1990), (day: "05-22", amount: 500)])
    // 9.99 minus 1.99 and 0.50 is 7.50 on both sides.
    #expect(books.sums() == ["2024-05 pro USA USD equal 0:1 7500:7500"])
    // An item refund that Apple's reports do not have is a difference with the cause refund.
    books.ours("05-12", 9990, items: [(day: "05-25", amount: 300)])
    #expect(
      books.sums() == [
        "2024-05 pro USA USD equal 0:1 7500:7500", "2024-05 pro USA USD refund 0:0 0:-300",
        "2024-05 pro USA USD unexplained 0:1 0:9990",
      ])
  }

  @Test func `a withdrawn day explains its rows and those beside it`() {
    var books = Books()
    books.gaps = [Books.day("05-10")]
    for day in ["05-09", "05-10", "05-11", "05-14"] { books.ours(day, 9990) }
    #expect(
      books.result().rows.map(\.cause) == [.noReport, .noReport, .noReport, .unexplained])
    // The row of the 10th is among these: Apple's total does not contain it.
    #expect(
      books.sums() == [
        "2024-05 pro USA USD no_report 0:3 0:29970", "2024-05 pro USA USD unexplained 0:1 0:9990",
      ])
  }

  @Test func `without a map neither side is unexplained`() {
    var books = Books()
    books.isSubscriberAlone = true
    books.apple("05-10", 2, 9990, appleID: "77")
    books.ours("05-10", 9990)
    books.ours("05-10", 9990)
    #expect(
      books.sums() == [
        "2024-05 77 USA USD unmapped 2:0 19980:0", "2024-05 pro USA USD unmapped 0:2 0:19980",
      ])
    #expect(books.result().unknownNumbers == ["77": 1])
    // The unknown Apple ID cannot be a product whose own Apple ID is known.
    books.numbers = ProductNumbers(catalogue: ["76": "pro"])
    #expect(books.result().rows.map(\.cause) == [.unexplained, .unexplained])
  }

  @Test func `partial refunds of either form are prorations`() {
    var books = Books()
    books.apple("05-02", 2, 9990)
    books.ours("05-02", 9990, refunded: "05-20")
    books.ours("05-02", 9990, refunded: "05-21")
    books.apple("05-20", 0, 4990, bought: "05-02")
    books.apple("05-21", -1, 3330, bought: "05-02")
    // Both sides have the charges. The facts refunded 19.98; Apple refunded 4.99 and 3.33.
    #expect(
      books.sums() == [
        "2024-05 pro USA USD equal 2:2 19980:19980",
        "2024-05 pro USA USD proration -1:-2 -8320:-19980",
      ])
  }

  @Test func `a unit refunded below every price is a proration`() {
    var books = Books()
    books.apple("05-02", 1, 9990)
    books.ours("05-02", 9990)
    books.apple("05-12", -1, 3330, bought: "05-02")
    books.apple("05-13", -1, 6660, of: "coins")
    // 9.99 was charged, and after an upgrade 3.33 went back as a unit. Of `coins` no unit was sold
    // at a higher price than 6.66.
    #expect(
      books.sums() == [
        "2024-05 coins USA USD refund -1:0 -6660:0", "2024-05 pro USA USD equal 1:1 9990:9990",
        "2024-05 pro USA USD proration -1:0 -3330:0",
      ])
    // The day of purchase is unknown, so all units before the refund are compared.
    books.apple("05-11", 1, 9990, of: "coins")
    #expect(books.sums().contains("2024-05 coins USA USD proration -1:0 -6660:0"))
    // A unit was sold at the refunded price: this is a whole refund without a receipt.
    books.apple("05-12", 1, 6660, of: "coins")
    #expect(books.sums().contains("2024-05 coins USA USD refund -1:0 -6660:0"))
  }

  @Test func `Finance Detail fills days without other reports`() {
    var books = ReconciledReports(subscriberDays: [], salesDays: [Books.day("05-20")])
    func settled(_ day: String, isLater: Bool) -> AppleReportLine {
      var line = AppleReportLine(
        line: 2, report: .financeDetail, day: Books.day(day),
        storefront: Storefront("JPN") ?? Storefront(rawValue: 0), units: 1,
        amount: Milliunits(5_500_000))
      line.productID = "pro"
      line.currency = Currency("JPY")
      line.unitPrice = Milliunits(5_500_000)
      line.settledOn = Books.day("05-10")
      line.isSettledLater = isLater
      return line
    }
    for line in [settled("05-10", isLater: false), settled("04-30", isLater: true)] {
      books.add(line)
    }
    // The Sales report already contains the 20th.
    books.add(settled("05-20", isLater: false))
    // The fiscal month is May 5 to June 1. Its report has no charge for the second row of the 10th
    // and the row of the 25th, so they are settled later. The days before it have charges in a
    // report that was not read, so only the charge that was carried over is compared.
    let days = ["05-10", "04-30", "05-10", "05-25", "04-29", "05-04"]
    let entries = days.enumerated().map { number, day in
      ReconciliationEntry(
        purchaseKey: Int64(number), day: Books.day(day), productID: "pro",
        storefront: Storefront("JPN"), currency: Currency("JPY"), amount: Milliunits(5_500_000))
    }
    #expect(
      reconcile(entries, with: books).rows.map { "\($0.purchaseKey) \($0.cause.rawValue)" } == [
        "0 equal", "1 settlement", "2 settlement", "3 settlement",
      ])
  }
}
