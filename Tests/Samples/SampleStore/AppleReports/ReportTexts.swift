internal import CivilTime
internal import PurchaseModel

/// The reports of one day, as App Store Connect writes them.
struct ReportTexts {
  private static let salesColumns = [
    "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
    "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
    "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
    "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
    "CMB",
    "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
  ]
  private static let subscriberColumns = [
    "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
    "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Name",
    "Promotional Offer ID", "Subscription Offer Type", "Subscription Offer Duration",
    "Marketing Opt-In Duration", "Customer Price", "Customer Currency", "Developer Proceeds",
    "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device", "Country",
    "Subscriber ID", "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
  ]
  private static let eventColumns = [
    "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name",
    "Subscription Apple ID", "Subscription Group ID", "Standard Subscription Duration",
    "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type", "Country",
    "Quantity",
  ]

  let events: [LedgerEvent]

  /// The Sales report: one line per group of equal events, with the sum of their units.
  var sales: String {
    var units: [[String]: Int64] = [:]
    for event in events {
      units[salesCells(event), default: 0] += event.units
    }
    let lines = units.map { cells, count in
      var cells = cells
      cells[7] = String(count)
      return cells
    }
    return Self.table(Self.salesColumns, lines)
  }

  private func salesCells(_ event: LedgerEvent) -> [String] {
    let (year, month, date) = event.day.date
    let slashed = "\(Self.two(month))/\(Self.two(date))/\(year)"
    let type =
      switch event.product.kind {
      case .autoRenewableSubscription: "IAY"
      case .nonRenewingSubscription: "IA9"
      default: "IA1"
      }
    let order =
      switch event.kind {
      case .intro: "Pay As You Go Intro Offer"
      case .trial: "Free Trial Intro Offer"
      case .promo, .offerCode: "Promotional Offer"
      case .regular, .oneTime: " "
      }
    let isSubscription = event.product.isSubscription
    return [
      "APPLE", "US", event.product.id, " ", event.product.id, "", type,
      event.units == 0 ? "part" : event.isRefund ? "refund" : "", "0.00", slashed, slashed,
      event.currency, event.country, event.currency,
      event.product.appleID, price(event), " ", event.product.app,
      isSubscription ? (event.isRenewal ? "Renewal" : "New") : " ", "", "Games", "", "iPhone",
      "iOS", " ", "", "", order,
    ]
  }

  /// The Subscriber report: one line per event.
  var subscriber: String {
    let lines = events.filter(\.product.isSubscription).map { event in
      [
        event.day.text, "Sample", event.product.appNumber, event.product.id, event.product.appleID,
        event.product.group, event.product.periodText,
        event.offerName.isEmpty ? event.offerID : event.offerName,
        event.offerID.isEmpty ? " " : event.offerID, offerType(event), "", "", price(event),
        event.currency, "0.00", event.currency, "", "", "", "iPhone",
        event.country, String(event.subscriber), "", event.isRefund ? "Yes" : "",
        event.isRefund ? event.purchaseDay.text : "", String(event.units),
      ]
    }
    return Self.table(Self.subscriberColumns, lines)
  }

  /// The Subscription Event report: one line per group of equal events, with their number.
  var subscriptionEvents: String {
    var counts: [[String]: Int] = [:]
    for event in events where event.product.isSubscription && event.units != 0 {
      let word =
        event.isRefund
        ? "Refund"
        : event.isRenewal
          ? "Renew"
          : event.kind.isOffer
            ? "Start Introductory Offer" : "Subscribe"
      let cells = [
        event.day.text, word, "Sample", event.product.appNumber, event.product.id,
        event.product.appleID,
        event.product.group, event.product.periodText, event.offerName,
        event.offerID.isEmpty ? " " : event.offerID, offerType(event), event.country,
      ]
      counts[cells, default: 0] += 1
    }
    return Self.table(Self.eventColumns, counts.map { $0 + [String($1)] })
  }

  private func offerType(_ event: LedgerEvent) -> String {
    switch event.kind {
    case .trial: "Free Trial"
    case .intro, .promo, .offerCode: event.price == 0 ? "Free Trial" : "Pay Up Front"
    case .regular, .oneTime: " "
    }
  }

  private func price(_ event: LedgerEvent) -> String {
    (event.isRefund ? "-" : "") + Self.decimal(event.price)
  }

  /// Formats thousandths with two or three decimals: 4990 → `4.99`, 1255 → `1.255`.
  private static func decimal(_ milli: Int64) -> String {
    let rest = String(1000 + milli % 1000).dropFirst()
    return "\(milli / 1000)." + (milli % 10 == 0 ? rest.dropLast() : rest)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func table(_ columns: [String], _ lines: [[String]]) -> String {
    ([columns] + lines.sorted { $0.lexicographicallyPrecedes($1) })
      .map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}
