import Amounts
import ExchangeRates
import GRDB
import Testing

@testable import Warehouse

/// Apple's reports with lines and causes written by hand.
private struct ComparedStore {
  let store: SmallStore

  init(reportingCurrency: String? = nil) throws {
    store = try SmallStore(
      asOf: "2024-06-01T00:00:00Z", completeThrough: "2024-05-31",
      reportingCurrency: reportingCurrency)
  }

  /// Adds reports of some days.
  func report(_ name: String, _ days: String...) throws {
    try store.database.write { db in
      for day in days {
        try db.execute(
          sql: """
            INSERT INTO audit_apple_report
            SELECT COALESCE(MAX(source_file_id), 0) + 1, ?, ? FROM audit_apple_report
            """, arguments: [name, day])
      }
    }
  }

  /// Adds a line of a report: `line(2, milli: 19_980)`.
  func line(
    _ units: Int64, _ currency: String = "USD", milli: Int64, of product: String? = "pro",
    in report: String = "subscriber", on day: String = "2024-05-01", isRenewal: Bool? = true
  ) throws {
    try store.database.write { db in
      try db.execute(
        sql: """
          INSERT INTO apple_report_line (source_file_id, source_line, report, event_date,
            product_id, apple_id, storefront, currency, units, amount_milli, is_refund, is_renewal)
          SELECT 1, count(1) + 1, ?, ?, ?, '77', 'USA', ?, ?, ?, ?, ? FROM apple_report_line
          """,
        arguments: [report, day, product, currency, units, milli, milli < 0, isRenewal])
    }
  }

  /// Adds a sum: the units and the money of Apple's side, and the money of the facts.
  func cause(
    _ cause: String, _ units: Int64, _ currency: String = "USD", milli: Int64, ours: Int64 = 0,
    of product: String = "pro"
  ) throws {
    try store.database.write { db in
      try db.execute(
        sql: "INSERT INTO audit_reconciliation VALUES ('2024-05', ?, 'USA', ?, ?, ?, 0, ?, ?)",
        arguments: [product, currency, cause, units, milli, ours])
    }
  }

  func money(table: () -> ReportingCurrency? = { nil }) throws -> ComparedMoney {
    try store.database.read { try ComparedMoney(ComparedPart(), table: table, on: $0) }
  }

  func totals(month: String? = nil) throws -> [AppleTotal] {
    try store.database.read { try AppleTotal.all(ComparedPart(month: month), on: $0) }
  }
}

/// The money of Apple's reports that is equal in the facts, and the currencies of that figure.
struct ComparedMoneyTests {
  @Test func `equal charges and equal refunds are money, although their sum is 0`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    try books.line(100, milli: 999_000)
    try books.line(-100, milli: -999_000)
    // The cause `equal` has no row, because its sums are 0.
    #expect(try books.money().total.equalShare == 10_000)
    try books.line(50, milli: 499_500)
    try books.cause("receipt_missing", 50, milli: 499_500)
    // 200 of 250 units are equal.
    #expect(try books.money().total.equalShare == 8_000)
    #expect(try books.money().months["2024-05"]?.equalShare == 8_000)
  }

  @Test func `a charge and a refund that only Apple has are two differences`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    try books.line(1, milli: 9_990)
    try books.line(-1, milli: -9_990)
    try books.cause("receipt_missing", 1, milli: 9_990)
    try books.cause("refund", -1, milli: -9_990)
    #expect(try books.money().total.equalShare == 0)
    let comparison = try books.store.database.read {
      try PublishedComparison(ComparedPart(), rates: { nil }, on: $0)
    }
    // The cell's difference is 0; 9.99 and 9.99 are unequal.
    #expect(
      comparison.cells.rows.map { $0.suffix(2) } == [[.number(0), .number(19_980)]])
    // The same with an unknown Apple ID, whose charge and refund have one cause.
    try books.line(1, milli: 9_990, of: nil)
    try books.line(-1, milli: -9_990, of: nil)
    try books.cause("unmapped", 0, milli: 0, of: "77")
    #expect(try books.money().total.equalShare == 0)
  }

  @Test func `money that one side lacks lowers the share, whichever side it is`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    try books.cause("equal", 60, milli: 600_000, ours: 600_000)
    try books.cause("recovered_late", 20, milli: 200_000, ours: 200_000)
    #expect(try books.money().total.equalShare == 10_000)
    // Only Apple: 800 of 1,000.
    try books.cause("receipt_missing", 20, milli: 200_000)
    #expect(try books.money().total.equalShare == 8_000)
    // Only the facts: 800 of 1,250.
    try books.cause("unexplained", 0, milli: 0, ours: 250_000)
    #expect(try books.money().total.equalShare == 6_400)
    // 100 in Apple's reports at a lower price than in the facts, 150: 800 of 1,400.
    try books.cause("price", 10, milli: 100_000, ours: 150_000)
    #expect(try books.money().total.equalShare == 5_714)
    // A day without a report is no difference.
    try books.cause("no_report", 0, milli: 0, ours: 900_000)
    #expect(try books.money().total.equalShare == 5_714)
    // A charge that Apple's own reports make doubtful is evidence for neither side.
    try books.cause("doubted", 40, milli: 400_000, ours: 100_000)
    #expect(try books.money().total.equalShare == 5_714)
    #expect(try books.money().scope?.doubted == 40)
  }

  @Test func `equal money whose price comes from Apple's reports is told`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    try books.cause("equal", 2, milli: 40_000, ours: 40_000)
    #expect(try books.money().total.shareFromReports == 0)
    try books.store.add([SmallStore.Purchase(chain: "ana", from: "2024-05-01", paid: 10_000)])
    try books.store.database.write {
      try $0.execute(
        sql: "UPDATE fct_revenue SET price_rule = 'apple_report', price_status = 'proven'")
    }
    // 10 of 40.
    #expect(try books.money().total.shareFromReports == 2_500)
  }

  @Test func `only refunds that are compared are Apple's money`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    try books.report("sales", "2024-05-01", "2024-05-02")
    try books.line(-1, milli: -9_990)
    // The Subscriber report has it.
    try books.line(-1, milli: -9_990, in: "sales")
    // A one-time purchase.
    try books.line(-1, milli: -1_000, in: "sales", isRenewal: nil)
    // A day without a Subscriber report, and a day without any report.
    try books.line(-1, milli: -2_000, in: "sales", on: "2024-05-02")
    try books.line(-1, milli: -70_000, in: "sales", on: "2024-05-03")
    // Finance Detail is used only for days without the others.
    try books.line(-1, milli: -80_000, in: "finance_detail", on: "2024-05-02", isRenewal: nil)
    try books.line(-1, milli: -3_000, in: "finance_detail", on: "2024-05-04", isRenewal: nil)
    try books.line(-1, milli: -90_000, of: "chess", in: "sales", isRenewal: nil)
    try books.cause("other_products", -1, milli: -90_000, of: "chess")
    let totals = try books.totals()
    // 9.99 + 1.00 + 2.00 + 3.00 are 15.99, with four equal charges 31.98.
    #expect(totals.map(\.milli) == [31_980])
    #expect(totals.map(\.equal) == [31_980])
    #expect(totals.map(\.units) == [8])
    #expect(try books.totals(month: "2024-04").isEmpty)
  }

  @Test func `without a reporting currency the units of other currencies are named`() throws {
    let books = try ComparedStore()
    try books.report("subscriber", "2024-05-01")
    // In EUR there are four units, in USD three.
    try books.line(2, "EUR", milli: 17_980)
    try books.line(-2, "EUR", milli: -17_980)
    try books.line(3, milli: 29_970)
    try books.cause("receipt_missing", 3, milli: 29_970)
    try books.line(1, "JPY", milli: 1_500_000)
    try books.cause("equal", 1, "JPY", milli: 1_500_000)
    // Free units are not money.
    try books.cause("not_charged", 9, "JPY", milli: 0)
    let money = try books.money()
    #expect(money.total.equalShare == 10_000)
    #expect(
      money.scope
        == ComparedScope(
          currency: "EUR", isConverted: false,
          missing: [.init("USD", units: 3), .init("JPY", units: 1)]))
  }

  @Test func `a currency that the facts do not have is converted at a rate of its month`() throws {
    let books = try ComparedStore(reportingCurrency: "EUR")
    try books.store.add([SmallStore.Purchase(chain: "ana", from: "2024-05-01", paid: 10_000)])
    try books.store.database.write {
      try $0.execute(
        sql: """
          UPDATE fct_revenue SET paid_reporting_micros = 5000000, fx_rate_date = purchased_date,
            paid_low_reporting_micros = 5000000, paid_high_reporting_micros = 5000000
          """)
    }
    try books.report("subscriber", "2024-05-01")
    try books.line(1, "EUR", milli: 10_000)
    try books.cause("equal", 1, "EUR", milli: 10_000)
    try books.line(1, "USD", milli: 20_000)
    try books.cause("receipt_missing", 1, "USD", milli: 20_000)
    try books.line(1, "JPY", milli: 2_000_000)
    try books.cause("receipt_missing", 1, "JPY", milli: 2_000_000)
    try books.line(3, "KWD", milli: 9_000)
    try books.cause("equal", 3, "KWD", milli: 9_000)
    // The facts have 10.00 USD = 5.00 EUR. Without more rates 10.00 of 20.00 EUR are equal.
    let known = try books.money()
    #expect(known.total.equalShare == 5_000)
    #expect(known.scope?.missing == [.init("KWD", units: 3), .init("JPY", units: 1)])
    // The rates begin on May 2: 2,000 JPY ÷ 100 = 20.00 EUR. 10.00 of 40.00 EUR are equal.
    let rates = try ExchangeRates(historyFile: Array("Date,USD,JPY,\n2024-05-02,1.25,100,\n".utf8))
    let euro = try #require(Currency("EUR"))
    let all = try books.money { ReportingCurrency(euro, rates: rates) }
    #expect(all.total.equalShare == 2_500)
    #expect(
      all.scope
        == ComparedScope(
          currency: "EUR", isConverted: true, missing: [.init("KWD", units: 3)]))
    // Rates of another reporting currency than that of the published facts are not used.
    let dollar = try #require(Currency("USD"))
    let other = try books.money { ReportingCurrency(dollar, rates: rates) }
    #expect(other.total.equalShare == 5_000)
  }
}
