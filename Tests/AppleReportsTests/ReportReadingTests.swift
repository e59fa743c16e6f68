import Amounts
import AppleReports
import CivilTime
import Diagnostics
import Foundation
import PurchaseModel
import TestSupport
import Testing

struct ReportReadingTests {
  @Test func `the Sales report knows product and Apple ID, and its prices are of one unit`() throws
  {
    let content = try Report.read(
      Report.sales13, Report.sale("pro", "1000000017", units: "12", subscription: "Renewal"),
      Report.sale("pro", "1000000017", units: "-1", price: "-9.99", preserved: "Yes"),
      Report.sale("pro", "1000000017", units: "0", price: "-85.43", country: "RU", currency: "RUB"),
      Report.sale("coins", "1000000018", type: "IA1", promo: "CR-RW", subscription: ""),
      Report.sale("pro", "1000000017", price: "0.99", order: "Pay As You Go Intro Offer"),
      Report.sale("pro", "1000000017", price: "4.99", order: "Pay Up Front"),
      // An app, an update and a restored purchase are not in-app purchases.
      Report.sale("app", "1000000001", type: "1F", price: "0.00"),
      Report.sale("app", "1000000001", type: "7", price: "0.00"),
      Report.sale("coins", "1000000018", type: "IA3", price: "0.00"))
    #expect(
      content.lines.map(\.golden) == [
        "sales 2024-05-01 pro 1000000017 USA USD 12 9990 119880 - renewal charge current - -",
        "sales 2024-05-01 pro 1000000017 USA USD -1 9990 -9990 - new refund preserved - -",
        "sales 2024-05-01 pro 1000000017 RUS RUB 0 - -85430 - new refund current - -",
        "sales 2024-05-01 coins 1000000018 USA USD 1 9990 9990 offer:CR-RW - charge current - -",
        "sales 2024-05-01 pro 1000000017 USA USD 1 990 990 intro new charge current - -",
        "sales 2024-05-01 pro 1000000017 USA USD 1 4990 4990 offer:pay up front new charge current "
          + "- -",
      ])
    #expect(content.report == .sales && content.lines.map(\.line) == Array(2...7))
    #expect(content.tally.used == 9 && content.tally.rejected == 0 && content.refusal == nil)
    #expect(content.lines.map(\.isProration) == [false, false, true, false, false, false])
  }

  @Test func `a copy in a warehouse is read like the original`() throws {
    let header = Report.sales13.lowercased().replacing(" ", with: "_").replacing("\t", with: ",")
    func copied(_ line: String) -> String {
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { $0 == "Title of it" ? "\"Title, of it\"" : String($0) }.joined(separator: ",")
    }
    let content = try Report.read(
      header + ",_fivetran_synced",
      copied(Report.sale("pro", "1000000017", day: "2024-05-01")) + ",2024-05-02 03:00:00")
    #expect(
      content.lines.map(\.golden) == [
        "sales 2024-05-01 pro 1000000017 USA USD 1 9990 9990 - new charge current - -"
      ])
    #expect(content.tally.rejected == 0)
  }

  @Test(arguments: [
    ("%PDF-1.7\n%abc", "a PDF"),
    (
      "Date\tApp Name\tApp Apple Identifier\tPurchase Type\tPurchases\tProceeds in USD",
      "a report of App Analytics"
    ),
    ("Date\tApp Name\tApp Apple Identifier\tCrashes", "a report of App Analytics"),
  ])
  func `what is no report of purchases never stops a night`(_ text: String, _ name: String) throws {
    let content = try Report.read(text, "2026-08-18\tFocus\t1234567890\tx\t1\t8.49")
    #expect(content.otherTable == name && content.refusal == nil)
  }

  @Test func `versions are told by the names of columns, whatever their order and case`() throws {
    // Version 1_0 has no column Order Type. The other report has the columns in reverse order and
    // in lower case.
    let old = try Report.read(
      Report.sales10, Report.sale("pro", "1000000017", order: nil))
    func turned(_ line: String) -> String {
      line.split(separator: "\t", omittingEmptySubsequences: false).reversed()
        .joined(separator: "\t")
    }
    let new = try Report.read(
      turned(Report.sales13).uppercased() + "\r",
      turned(Report.sale("pro", "1000000017")) + "\r")
    #expect(old.lines == new.lines && old.lines.count == 1)
    let before = try Report.read(
      Report.subscriber12, Report.subscriber("1000000017", offerName: "Spring"))
    let after = try Report.read(
      Report.subscriber13, Report.subscriber("1000000017", offerName: "Spring"))
    #expect(before.lines == after.lines)
    #expect(before.lines.first?.offer == .named("Spring"))
  }

  @Test func `the Subscriber report tells offers, refunds and the day of the purchase`() throws {
    let content = try Report.read(
      Report.subscriber13, Report.subscriber("1000000017"),
      Report.subscriber("1000000017", price: "0.00", offerType: "Free Trial"),
      Report.subscriber(
        "1000000017", price: "4.99", offerName: "Half", offerID: "win50", offerType: "Pay Up Front",
        preserved: "Yes"),
      Report.subscriber(
        "1000000017", day: "2024-05-20", price: "-9.99", units: "-1", refund: "Yes",
        purchased: "2024-05-01"),
      Report.subscriber(
        "1000000017", day: "2024-05-20", price: "-85.43", units: "0", country: "RU",
        currency: "RUB", refund: "Yes", purchased: "2024-05-15"))
    #expect(
      content.lines.map(\.golden) == [
        "subscriber 2024-05-01 - 1000000017 USA USD 1 9990 9990 - - charge current - 4711",
        "subscriber 2024-05-01 - 1000000017 USA USD 1 0 0 intro - charge current - 4711",
        "subscriber 2024-05-01 - 1000000017 USA USD 1 4990 4990 offer:win50 - charge preserved - "
          + "4711",
        "subscriber 2024-05-20 - 1000000017 USA USD -1 9990 -9990 - - refund current 2024-05-01 "
          + "4711",
        "subscriber 2024-05-20 - 1000000017 RUS RUB 0 - -85430 - - refund current 2024-05-15 4711",
      ])
  }

  @Test func `events have no price, and stocks are no sums`() throws {
    let events = try Report.read(
      Report.event13, Report.event("Renew", quantity: "7", preserved: "Yes"),
      Report.event("Refund", quantity: "2"))
    #expect(
      events.lines.map(\.golden) == [
        "subscription_event 2024-05-01 - 1000000017 USA - 7 - 0 - renewal charge preserved - -",
        "subscription_event 2024-05-01 - 1000000017 USA - 2 - 0 - new refund current - -",
      ])
    let header = """
      App Name\tApp Apple ID\tSubscription Apple ID\tPromotional Offer ID\tCustomer Price\t\
      Customer Currency\tPreserved Pricing\tCountry\tActive Standard Price Subscriptions
      """
    let row = "Shop\t1000000001\t1000000017\t \t2950.00\tRUB\t\tRU\t20"
    let stock = try Report.read(header, row, day: "2024-05-01")
    #expect(
      stock.lines.map(\.golden)
        == ["subscription 2024-05-01 - 1000000017 RUS RUB 20 2950000 0 - - charge current - -"])
    let nameless = try Report.read(header, row)
    #expect(nameless.rejects.map(\.reason) == [.reportNotDaily] && nameless.lines.isEmpty)
  }

  @Test func `the Financial report ends with totals, which must fit`() throws {
    let rows = [
      Report.financial, Report.settled("pro", quantity: "5", sign: "S", price: "8.99"),
      Report.settled("pro", quantity: "1", sign: "R", price: "8.99"),
    ].joined(separator: "\n")
    let whole = try Report.read(rows, "Total_Rows\t2", "Total_Amount\t6.30", "Total_Units\t6")
    #expect(
      whole.lines.map(\.golden) == [
        "financial 2024-05-04 pro 1000000017 USA USD 5 8990 44950 - - charge - - -",
        "financial 2024-05-04 pro 1000000017 USA USD -1 8990 -8990 - - refund - - -",
      ])
    let cut = try Report.read(rows, "Total_Rows\t3")
    #expect(cut.lines.isEmpty && cut.refusal?.contains("state 3 rows, but the file has 2") == true)
    let units = try Report.read(rows, "Total_Rows\t2", "Total_Units\t9")
    #expect(units.refusal?.contains("state 9 units, but the file has 6") == true)
    let amount = try Report.read(rows, "Total_Amount\t7.00")
    #expect(amount.refusal?.contains("state 7.00 in total") == true)
  }

  @Test func `Finance Detail tells both days, and its sums by country are no lines`() throws {
    let header = """
      Transaction Date\tSettlement Date\tApple Identifier\tSKU\tTitle\tDeveloper Name\t\
      Product Type Identifier\tCountry of Sale\tQuantity\tPartner Share\tExtended Partner Share\t\
      Partner Share Currency\tCustomer Price\tCustomer Currency\tSale or Return\tPromo Code\t\
      Order Type\tRegion
      """
    func line(_ day: String, _ quantity: String, _ price: String, _ sign: String) -> String {
      [
        day, "05/02/2024", "77", "pro", "Pro", "Me", "IAY", "JPN", quantity, "4250", "4250", "JPY",
        price, "JPY", sign, "", "", "Z1",
      ].joined(separator: "\t")
    }
    let content = try Report.read(
      "Vendor Name\tMe", "Start Date\t03/31/2024", "End Date\t05/04/2024", header,
      line("04/29/2024", "1", "5500", "S"), line("03/30/2024", "2", "5500", "S"),
      line("05/01/2024", "-1", "2000", "R"),
      "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share",
      "JP\tJPY\t2\t4250.00")
    #expect(
      content.lines.map(\.golden) == [
        "finance_detail 2024-04-29 pro 77 JPN JPY 1 5500000 5500000 - - charge - - -",
        "finance_detail 2024-03-30 pro 77 JPN JPY 2 5500000 11000000 - - charge - - -",
        "finance_detail 2024-05-01 pro 77 JPN JPY -1 2000000 -2000000 - - refund - - -",
      ])
    #expect(content.report == .financeDetail && content.tally.used == 3)
    // The fiscal month began on March 31.
    #expect(content.lines.map(\.isSettledLater) == [false, true, false])
    #expect(content.lines.first?.settledOn == CivilDay(text: "2024-05-02"))
    #expect(content.lines.first?.proceeds?.rawValue == 4_250_000)
  }

  @Test func `reports tell the app, the proceeds and the names of events`() throws {
    let sale = try Report.read(Report.sales13, Report.sale("pro", "17")).lines.first
    #expect(sale?.app == "com.example.app" && sale?.proceeds?.rawValue == 6_990)
    #expect(sale?.proceedsCurrency?.code == "USD")
    let charge = try Report.read(Report.subscriber13, Report.subscriber("17")).lines.first
    #expect(charge?.app == "1000000001" && charge?.proceeds?.rawValue == 6_990)
    let event = try Report.read(Report.event13, Report.event("Renew", quantity: "7")).lines.first
    #expect(event?.event == "Renew")
  }

  @Test func `a weekly Sales report is another table, and a single line of a week is not`() throws {
    let week = Report.sale("pro", "1", day: "05/01/2024", end: "05/07/2024")
    let weekly = try Report.read(Report.sales13, week, week)
    #expect(weekly.otherTable == "a Sales report of several days" && weekly.rejects.isEmpty)
    let mixed = try Report.read(Report.sales13, week, Report.sale("pro", "1"))
    #expect(mixed.otherTable == nil && mixed.rejects.count == 1 && mixed.lines.count == 1)
  }

  @Test func `a line of more money than there is, is rejected alone`() throws {
    let content = try Report.read(
      Report.sales13, Report.sale("pro", "17", units: "1000000000", price: "9999999.99"),
      Report.sale("pro", "17"))
    #expect(content.lines.count == 1 && content.rejects.map(\.detail) == ["customer price"])
  }

  @Test func `a line that cannot be understood is rejected alone, with its column`() throws {
    let content = try Report.read(
      Report.sales13, Report.sale("", "1000000017"), Report.sale("pro", "1", units: "one"),
      Report.sale("pro", "1", price: "9,99"), Report.sale("pro", "1", day: "02/30/2024"),
      Report.sale("pro", "1", day: "05/01/2024", end: "05/07/2024"),
      Report.sale("pro", "1", country: "Nowhere"), Report.sale("pro", "1", currency: "$"),
      Report.sale("pro", "1") + "\tone\tmore", "", Report.sale("pro", "1"))
    #expect(
      content.rejects.map { "\($0.line) \($0.reason.rawValue) \($0.detail)" } == [
        "2 report_field_missing sku", "3 report_field_invalid units",
        "4 report_field_invalid customer price", "5 report_field_invalid begin date",
        "6 report_not_daily end date", "7 report_field_invalid country",
        "8 report_field_invalid customer currency",
        "9 report_field_invalid more cells than column names",
      ])
    #expect(content.lines.map(\.line) == [11])
    #expect(content.tally.used == 1 && content.tally.rejected == 8)
  }

  @Test func `another table is left aside by its name, and a day without sales is not`() throws {
    let headers = [
      "Title\tSKU\tPre-order Start Date\tOrdered\tCanceled": "a report of pre-orders",
      "Date\tOffer Reference Name\tRedemptions": "a report of offer redemptions",
      "Date\tApp Apple ID\tOffer Code\tRedemptions": "a report of offer redemptions",
      "Apple Identifier\tMarketing Opt-Ins": "a report of marketing opt-ins",
      "\"Country or Region (Currency)\",\"Units Sold\",\"Earned\"": "a report of payments",
      "Date\tApp Apple Identifier\tSource Type\tCounts": "a report of App Analytics",
    ]
    for (header, name) in headers {
      #expect(try Report.read(header).otherTable == name)
    }
    let payment = try Report.read(
      "\"iTunes Connect - Payments and Financial Reports\t(July, 2015)\",,,", ",,,",
      "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Proceeds,Bank Account Currency,",
      "Australia (AUD),\"2\",\"2.40\",\"2.40\",\"1.52\",\"EUR\",")
    #expect(payment.otherTable == "a report of payments" && payment.rejects.isEmpty)
    #expect(payment.tally.records == 0)
    let cut = try Report.read("Vendor Name\tme")
    #expect(cut.otherTable == nil && cut.refusal?.contains("before the column names") == true)
    let empty = try Report.read(Report.sales13)
    #expect(empty.report == .sales && empty.tally.records == 0 && empty.refusal == nil)
  }

  @Test func `an error answer of Apple's API is told apart from other JSON`() throws {
    let error = """
      {"errors":[{"id":"1","status":"404","code":"NOT_FOUND","title":"No such resource",\
      "detail":"There were no sales for the date specified."}]}
      """
    for text in [error, error.replacing(":[{", with: " : [\n  {\n    ")] {
      let content = try Report.read(text)
      #expect(content.otherTable == AppleReportContent.errorAnswer, "\(text)")
      #expect(content.rejects.isEmpty && content.tally.records == 0)
    }
    for text in [
      "{\"errors\":[]}", "{\"lines\":[{\"status\":\"new\",\"code\":1}]}",
      "{\"errors\":[{\"line\":7}]}",
    ] {
      let content = try Report.read(text)
      #expect(content.otherTable == nil && content.tally.rejected == 1, "\(text)")
    }
  }

  @Test func `a product id with two Apple IDs is sold by two apps`() {
    var numbers = ProductNumbers(catalogue: ["1": "pro"])
    #expect(numbers.shared.isEmpty)
    numbers.add(appleID: "2", productID: "plus")
    numbers.add(appleID: "3", productID: "pro")
    #expect(numbers.shared == ["pro"])
  }

  @Test func `the product of an Apple ID is what most lines say`() {
    var numbers = ProductNumbers(catalogue: ["1": "old", "2": "listed"])
    numbers.add(appleID: "1", productID: "b")
    numbers.add(appleID: "1", productID: "a")
    #expect(numbers.productID("1") == "a")
    numbers.add(appleID: "1", productID: "b")
    #expect(numbers.productID("1") == "b")
    #expect(numbers.productID("2") == "listed" && numbers.productID("3") == nil)
  }

  @Test(
    .enabled(
      "../shared/fixtures is not there: no real report is read", { Checkout.fixtures != nil }))
  func `real reports are read without a reject`() throws {
    let folder = try #require(Checkout.fixtures).path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let files = names.filter {
      ($0.hasSuffix(".tsv") && $0.contains("reports/")) || $0.contains("payloads/financ")
    }
    for name in files {
      let content = try Report.read(path: "\(folder)/\(name)", day: CivilDay(text: "2020-10-05"))
      #expect(content.refusal == nil && content.tally.rejected == 0, "\(name) \(content.rejects)")
      #expect(content.tally.used > 0, "\(name)")
    }
    #expect(!files.isEmpty)
  }
}
