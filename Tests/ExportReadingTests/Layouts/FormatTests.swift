internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// A format with the expected content of its sample.
///
/// The content was read from the payloads by hand.
struct FormatCase: Sendable, CustomTestStringConvertible {
  var format: String
  var reports: [String]
  var otherEvents = 0
  var inferred = 0
  var sandbox = 0
  var undecided = 0
  var testDescription: String { format }
}

struct FormatTests {
  /// Three months at 0.99 each, and 4.99 once for three months; most SDKs' samples have both.
  private static let offers = "intro 990 pay_as_you_go 3xP1M, win50 4990 pay_up_front 1xP3M"
  private static let monthly = "com.app.monthly list USD 9990 2024-05-01T10:00:07Z c-1"

  static let cases: [FormatCase] = [
    FormatCase(
      format: "adapty",
      reports: [
        "weekly.premium.599 list USD 5990 2024-05-01T10:00:07Z c-1 USA 2000000335310644"
          + " | promo000 990 pay_as_you_go ?xP1W, used promo000"
      ]),
    FormatCase(
      format: "adapty_webhook",
      reports: [
        "com.app.monthly charged KRW 7900000 2024-05-01T10:00:07Z c-1 KOR 2000000335310644 |"
      ], inferred: 1),
    FormatCase(
      format: "adjust",
      reports: [
        "com.app.monthly charged USD 9990 2024-05-01T10:00:07Z - - 2000000335310644 |"
      ]),
    FormatCase(format: "amplitude", reports: ["\(monthly) - - |"], otherEvents: 1),
    FormatCase(
      format: "apphud",
      reports: [
        "com.app.yearly list USD 99990 2024-05-01T10:00:07Z c-1 USA -"
          + " | intro 0 free_trial 1xP1W, win50 49990 pay_up_front 1xP3M"
      ]),
    FormatCase(
      format: "appsflyer",
      reports: [
        "com.app.monthly list USD 6000 2022-05-12T14:37:22Z uid - 700002121005123 |",
        "com.app.monthly list USD 9990 2022-05-12T14:40:00Z uid - - |",
      ]),
    FormatCase(format: "branch", reports: ["\(monthly) - 2000000335310644 |"]),
    FormatCase(format: "capgo", reports: ["\(monthly) USA - | \(offers)"]),
    FormatCase(format: "cordova", reports: ["\(monthly) USA - | \(offers)"]),
    FormatCase(
      format: "facebook",
      reports: [
        "com.app.coins charged USD 9990 2024-05-01T10:00:07Z c-1 - 2000000335310644 |"
      ]),
    FormatCase(
      format: "flutter",
      reports: [
        "\(monthly) USA - | \(offers)",
        "com.app.yearly list USD 99990 2024-05-01T10:00:07Z c-1 - 2000000335310645 |",
      ]),
    FormatCase(format: "ga4", reports: ["\(monthly) - - |"], otherEvents: 1),
    FormatCase(format: "glassfy", reports: ["\(monthly) USA - | intro 0 free_trial 1xP1W"]),
    FormatCase(format: "nami", reports: ["\(monthly) USA - |"]),
    FormatCase(
      format: "openiap",
      reports: ["\(monthly) USA - | intro 0 free_trial 1xP1W, win50 4990 pay_up_front 1xP3M"]),
    FormatCase(format: "purchasely", reports: ["\(monthly) USA - |"]),
    // Its introductory offer is a free trial at the regular price, which is impossible.
    FormatCase(
      format: "qonversion",
      reports: [
        "\(monthly) USA 2000000335310644 | win50 4990 pay_up_front 1xP3M, used win50"
      ], undecided: 1),
    FormatCase(
      format: "react_native_iap",
      reports: [
        "gold_100 list USD 14990 2024-05-01T10:00:07Z c-1 USA - |",
        "\(monthly) USA - | \(offers)",
      ]),
    // Three cycles are paid as you go. One cycle of three months for a monthly product is paid up
    // front.
    FormatCase(format: "revenuecat", reports: ["\(monthly) USA - | \(offers)"]),
    FormatCase(
      format: "revenuecat_webhook",
      reports: [
        "app.tier2.monthly charged KRW 7900000 2026-08-03T23:59:50Z 3f0c5f50 KOR 200000000000001 |"
      ], otherEvents: 1, inferred: 1, sandbox: 1),
    FormatCase(format: "segment", reports: ["\(monthly) - 2000000335310644 |"]),
    FormatCase(
      format: "superwall",
      reports: [
        "com.app.annual list USD 89990 2024-05-01T10:00:07Z c-1 USA - | intro 0 free_trial 1xP1W"
      ]),
  ]

  @Test(arguments: cases)
  func `a format's sample says what its program meant`(_ given: FormatCase) throws {
    let content = try read(format: given.format, sample: given.format)
    #expect(content.codes == [])
    #expect(content.reportLines == given.reports)
    #expect(content.notices.otherEvents == given.otherEvents)
    #expect(content.notices.inferredPrices == given.inferred)
    #expect(content.notices.sandboxReports == given.sandbox)
    #expect(content.notices.undecidedOffers == given.undecided)
    #expect(content.tally.duplicates == 0)
  }

  @Test func `every format has a sample, a case here and a paragraph in the docs`() throws {
    let samples = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.folder.appendingPathComponent("SampleData/payloads").path
    ).map { $0.replacing(".ndjson", with: "") }
    #expect(Set(samples) == Set(PriceFormat.all.map(\.name)))
    #expect(Set(Self.cases.map(\.format)) == Set(samples).subtracting(["mixpanel"]))
    let page = try String(
      contentsOf: Checkout.folder.appendingPathComponent("Docs/formats.md"), encoding: .utf8)
    for format in PriceFormat.all { #expect(page.contains("\n### `\(format.name)`\n")) }
  }

  @Test func `what Mixpanel's charges lack is said when the pipeline is read`() throws {
    #expect {
      _ = try PriceLayout(format: PriceFormat.named("mixpanel"))
    } throws: { error in
      guard case PriceLayout.Fault.lacks(let keys, let remark) = error else { return false }
      return keys == ["product_id", "currency"] && remark.contains("Mixpanel")
    }
  }

  @Test func `a mark of another format is no price report`() throws {
    let event =
      #"{"reported_at":"2024-05-01T10:00:07Z","product_id":"p","price":5.92,"#
      + #""price_in_purchased_currency":7900,"currency":"KRW"}"#
    let content = try prices(event)
    #expect(content.codes == ["1 price_unnamed_format"])
    #expect(content.rejects.map(\.detail).first?.hasSuffix("format revenuecat_webhook") ?? false)
  }
}

/// Reads a file of `SampleData/payloads` in a format.
func read(format: String, sample: String) throws -> ExportContent {
  let layout = try PriceLayout(format: PriceFormat.named(format))
  let url = Checkout.folder.appendingPathComponent("SampleData/payloads/\(sample).ndjson")
  return try readExport(
    bytes: Array(try Data(contentsOf: url)), name: "p.ndjson", kind: .prices,
    fieldMapping: FieldMapping(layout: layout, namesUnit: true))
}

/// Reads a text with the keys of a pipeline's entry.
func prices(
  _ text: String, keys: [(key: String, paths: [String])],
  constants: [(key: String, value: String)] = []
) throws -> ExportContent {
  let layout = try PriceLayout(format: nil, keys: keys, constants: constants)
  return try readExport(
    bytes: Array(text.utf8), name: "p.txt", kind: .prices,
    fieldMapping: FieldMapping(layout: layout, namesUnit: false))
}

extension ExportContent {
  /// The reports, one per line: product, meaning, currency, thousandths, time, customer,
  /// storefront, transaction; offers.
  var reportLines: [String] {
    self.set.reports.map { report in
      let customer = report.customer.map { set.symbols.text($0.symbol) } ?? "-"
      let offers = set.offers[report.offers].map { offer in
        let id = offer.offerID.map { set.symbols.text($0.symbol) } ?? "intro"
        let length = "\(offer.numberOfPeriods.map(String.init) ?? "?")x\(offer.period?.text ?? "?")"
        return "\(id) \(offer.price.rawValue) \(offer.paymentMode.name) \(length)"
      }
      let used = report.appliedDiscount.map { ["used \(set.symbols.text($0.symbol))"] } ?? []
      let tail = (offers + used).joined(separator: ", ")
      let transaction = report.transactionID?.number.text(in: set.symbols) ?? "-"
      return
        "\(set.symbols.text(report.productID.symbol)) \(report.meaning) \(report.currency.code) "
        + "\(report.price.rawValue) \(report.reportedAt.text) \(customer) "
        + "\(report.storefront?.code ?? "-") \(transaction) |" + (tail.isEmpty ? "" : " " + tail)
    }
  }
}
