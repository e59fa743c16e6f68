import Amounts
import AppleReports
import CivilTime
import Foundation
import PurchaseModel
import TestSupport

/// Invented reports in the format of App Store Connect, and their expected content.
enum Report {
  static let sales10 = """
    Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\t\
    Developer Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t\
    Currency of Proceeds\tApple Identifier\tCustomer Price\tPromo Code\tParent Identifier\t\
    Subscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\tProceeds Reason\t\
    Preserved Pricing\tClient
    """
  static let sales13 = sales10 + "\tOrder Type"

  /// A line of the Sales report; empty cells may contain a space, as in Apple's files.
  static func sale(
    _ product: String, _ appleID: String, type: String = "IAY", units: String = "1",
    price: String = "9.99", day: String = "05/01/2024", end: String? = nil, country: String = "US",
    currency: String = "USD", promo: String = " ", subscription: String = "New",
    preserved: String = " ", order: String? = ""
  ) -> String {
    [
      "APPLE", "US", product, " ", "Title of it", "", type, units, "6.99", day, end ?? day,
      currency,
      country, currency, appleID, price, promo, "com.example.app", subscription, "30 Days", "Games",
      "", "iPhone", "iOS", " ", preserved, "",
    ].joined(separator: "\t") + (order.map { "\t" + $0 } ?? "")
  }

  static let subscriber12 = """
    Event Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\t\
    Subscription Group ID\tStandard Subscription Duration\tPromotional Offer Name\t\
    Promotional Offer ID\tSubscription Offer Type\tSubscription Offer Duration\t\
    Marketing Opt-In Duration\tCustomer Price\tCustomer Currency\tDeveloper Proceeds\t\
    Proceeds Currency\tPreserved Pricing\tProceeds Reason\tClient\tDevice\tCountry\tSubscriber ID\t\
    Subscriber ID Reset\tRefund\tPurchase Date\tUnits
    """
  static let subscriber13 = subscriber12.replacing(
    "Promotional Offer Name", with: "Subscription Offer Name")

  /// A line of the Subscriber report.
  static func subscriber(
    _ appleID: String, day: String = "2024-05-01", price: String = "9.99", units: String = "1",
    offerName: String = "", offerID: String = " ", offerType: String = "", country: String = "US",
    currency: String = "USD", preserved: String = "", id: String = "4711", refund: String = "",
    purchased: String = ""
  ) -> String {
    [
      day, "Shop", "1000000001", "Pro", appleID, "20611001", "1 Month", offerName, offerID,
      offerType, offerType.isEmpty ? "" : "1 Month", "", price, currency, "6.99", currency,
      preserved, "", "", "iPhone", country, id, "", refund, purchased, units,
    ].joined(separator: "\t")
  }

  static let event13 = """
    Event Date\tEvent\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\t\
    Subscription Group ID\tStandard Subscription Duration\tSubscription Offer Name\t\
    Promotional Offer ID\tSubscription Offer Type\tSubscription Offer Duration\tMarketing Opt-In\t\
    Marketing Opt-In Duration\tPreserved Pricing\tProceeds Reason\tConsecutive Paid Periods\t\
    Original Start Date\tClient\tDevice\tState\tCountry\tPrevious Subscription Name\t\
    Previous Subscription Apple ID\tDays Before Canceling\tCancellation Reason\tDays Canceled\t\
    Quantity\tPaid Service Days Recovered
    """

  static func event(_ event: String, quantity: String, preserved: String = "") -> String {
    [
      "2024-05-01", event, "Shop", "1000000001", "Pro", "1000000017", "20611001", "1 Month", " ",
      " ", " ", " ", "", "", preserved, "", "3", "2024-02-01", "", "iPhone", "CA", "US", "", "", "",
      "", "", quantity, "",
    ].joined(separator: "\t")
  }

  static let financial = """
    Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\t\
    Extended Partner Share\tPartner Share Currency\tSales or Return\tApple Identifier\t\
    Artist/Show/Developer/Author\tTitle\tLabel/Studio/Network/Developer/Publisher\tGrid\t\
    Product Type Identifier\tISAN/Other Identifier\tCountry Of Sale\tPre-order Flag\tPromo Code\t\
    Customer Price\tCustomer Currency
    """

  static func settled(_ product: String, quantity: String, sign: String, price: String) -> String {
    [
      "03/31/2024", "05/04/2024", "", "", product, quantity, "3.15", "3.15", "USD", sign,
      "1000000017", "", "Pro", "", "", "IAY", "", "US", "", "", price, "USD",
    ].joined(separator: "\t")
  }

  /// The content read from a text.
  static func read(_ lines: String..., name: String = "report.txt", day: String? = nil) throws
    -> AppleReportContent
  {
    let folder = try TemporaryFolder()
    try folder.write(name, lines.joined(separator: "\n") + "\n")
    return try read(path: folder.path(name), day: day.flatMap { CivilDay(text: $0) })
  }

  /// The content read from a file.
  static func read(path: String, day: CivilDay? = nil) throws -> AppleReportContent {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    return try readAppleReport(
      descriptor: file.fileDescriptor, name: path, exportDay: day)
  }
}

extension AppleReportLine {
  /// The line as text for comparison; a hyphen stands for an unknown value.
  var golden: String {
    let parts: [String?] = [
      report.rawValue, day.text, productID, appleID, storefront.code, currency?.code, "\(units)",
      unitPrice.map { "\($0.rawValue)" }, "\(amount.rawValue)", offer.text,
      isRenewal.map { $0 ? "renewal" : "new" }, isRefund ? "refund" : "charge",
      isPreserved.map { $0 ? "preserved" : "current" }, purchaseDay?.text, subscriber,
    ]
    return parts.map { $0 ?? "-" }.joined(separator: " ")
  }
}
