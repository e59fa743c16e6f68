internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// A payload from public code, with its expected content.
///
/// The content was determined by hand.
struct RealPayload: Sendable, CustomTestStringConvertible {
  var file: String
  var format: String
  var reports: [String]
  /// The reject reason, or the name of the number that includes it; empty if it is a report.
  var instead = ""
  var testDescription: String { file }
}

/// Payloads that are not in the repository, read from the fixtures folder.
@Suite(.enabled("the fixtures are not here", { Checkout.fixtures != nil }))
struct `Payloads of public code` {
  private static let monthly = "com.app.monthly list USD 9990 2024-05-01T10:00:07Z"
  private static let offers = "intro 990 pay_as_you_go 3xP1M, win50 4990 pay_up_front 1xP3M"

  static let payloads: [RealPayload] = [
    RealPayload(
      file: "adapty_validate", format: "adapty",
      reports: [
        "weekly.premium.599 list USD 5990 2024-05-01T10:00:07Z c-1 USA 2000000335310644"
          + " | promo000 990 pay_as_you_go ?xP1W, used promo000"
      ]),
    RealPayload(
      file: "adjust_event", format: "adjust",
      reports: [
        "com.app.monthly charged USD 9990 2024-05-01T10:00:07Z - - 2000000335310644 |"
      ]),
    RealPayload(
      file: "amplitude_revenue", format: "amplitude", reports: ["\(monthly) c-1 - - |"]),
    // 99.98999786376953 is the 32-bit float of 99.99.
    RealPayload(
      file: "apphud_product_info", format: "apphud",
      reports: [
        "com.app.yearly list USD 99990 2024-05-01T10:00:07Z c-1 USA -"
          + " | intro 0 free_trial 1xP1W, win50 49990 pay_up_front 1xP3M"
      ]),
    // Without af_content_id the content type has the product.
    RealPayload(
      // Its af_content_type is a kind of content, not a product.
      file: "appsflyer_event", format: "appsflyer", reports: [], instead: "price_without_product"),
    RealPayload(
      file: "cordova_valid_product", format: "cordova",
      reports: ["\(monthly) c-1 USA - | \(offers)"]),
    RealPayload(
      file: "firebase_in_app_purchase", format: "ga4", reports: ["\(monthly) c-1 - - |"]),
    RealPayload(
      file: "flutter_skproduct", format: "flutter", reports: ["\(monthly) c-1 USA - | \(offers)"]),
    RealPayload(
      file: "glassfy_product", format: "glassfy",
      reports: ["\(monthly) c-1 USA - | intro 0 free_trial 1xP1W"]),
    RealPayload(
      file: "openiap_subscription_ios", format: "openiap",
      reports: ["\(monthly) c-1 USA - | intro 0 free_trial 1xP1W, win50 4990 pay_up_front 1xP3M"]),
    // Its introductory offer is a free trial at the regular price, which is impossible.
    RealPayload(
      file: "qonversion_purchase", format: "qonversion",
      reports: ["\(monthly) c-1 USA 2000000335310644 | win50 4990 pay_up_front 1xP3M, used win50"]),
    RealPayload(
      file: "react_native_iap_legacy", format: "react_native_iap",
      reports: ["gold_100 list USD 14990 2024-05-01T10:00:07Z c-1 USA - |"]),
    RealPayload(
      file: "revenuecat_hybrid_storeproduct", format: "revenuecat",
      reports: ["\(monthly) c-1 USA - | \(offers)"]),
    // 5.92 is in dollars; the customer paid 7,900 won.
    RealPayload(
      file: "revenuecat_webhook_krw", format: "revenuecat_webhook",
      reports: [
        "app.tier2.monthly charged KRW 7900000 2026-08-03T23:59:50Z 3f0c5f50 KOR 200000000000001 |"
      ]),
    RealPayload(
      file: "revenuecat_webhook_trial", format: "revenuecat_webhook", reports: [],
      instead: "sandbox"),
    RealPayload(
      file: "segment_order_completed", format: "segment",
      reports: ["\(monthly) c-1 - 2000000335310644 |"]),
    RealPayload(
      file: "superwall_swproduct", format: "superwall",
      reports: [
        "com.app.annual list USD 89990 2024-05-01T10:00:07Z c-1 USA - | intro 0 free_trial 1xP1W"
      ]),
  ]

  /// The formats with payloads that contain time and customer.
  private static let whole: Set<String> = [
    "adjust", "amplitude", "appsflyer", "ga4", "revenuecat_webhook", "segment",
  ]

  @Test(arguments: payloads) func `say what their program meant`(_ given: RealPayload) throws {
    let url = try #require(Checkout.fixtures).appending(path: "payloads/\(given.file).json")
    var text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    if !Self.whole.contains(given.format) {
      text = """
        {"reported_at":"2024-05-01T10:00:07Z","customer_id":"c-1","storefront":"USA","payload":
        \(text)}
        """
    }
    let content = try readExport(
      bytes: Array(text.utf8), name: "p.json", kind: .prices,
      fieldMapping: FieldMapping(
        layout: try PriceLayout(format: PriceFormat.named(given.format)), namesUnit: true))
    #expect(content.reportLines == given.reports)
    switch given.instead {
    case "": #expect(content.codes == [])
    case "sandbox": #expect(content.notices.sandboxReports == 1)
    default: #expect(content.codes == ["1 \(given.instead)"])
    }
  }
}
