internal import Amounts
internal import CivilTime
internal import Foundation
internal import PaidAmounts
internal import PurchaseModel
internal import TestSupport

/// Apple's daily reports of some days: one Sales and one Subscriber report per day.
struct StoryBooks {
  /// Units that Apple charged at one price in one cell.
  struct Charge {
    var day: CivilDay
    var product: String
    var storefront: String
    var currency: String
    var price: String
    var units: Int32
    /// `intro`, an offer's id, or `nil` for the regular price.
    var offer: String?
    /// Whether it is a one-time purchase, which only Sales contains.
    var isOneTime: Bool
    /// The only report that contains the charge, `sales` or `subscriber`; `nil` for both.
    var only: String?
  }

  /// The only kind of report that was read, `sales` or `subscriber`; `nil` for both.
  var alone: String?

  /// The days whose reports were read.
  var days: [CivilDay]
  var charges: [Charge]

  /// Reads `books` of a scenario.
  init(_ node: StoryNode) throws {
    let map = try node.map(["from", "through", "charges", "alone"])
    alone = try map.text("alone")
    func day(_ node: StoryNode) throws -> CivilDay {
      guard let day = CivilDay(text: try node.quoted()) else { throw node.failure("no day") }
      return day
    }
    let (from, through) = (try day(map.required("from")), try day(map.required("through")))
    days = (from.daysSinceEpoch...through.daysSinceEpoch).map { CivilDay(daysSinceEpoch: $0) }
    charges = try map.list("charges").map { entry in
      let fields = try entry.map([
        "day", "product", "storefront", "price", "units", "offer", "one_time", "only",
      ])
      let money = try fields.required("price").quoted().split(separator: " ").map(String.init)
      guard money.count == 2 else { throw entry.failure("expected an amount and a currency") }
      return Charge(
        day: try day(fields.required("day")), product: try fields.text("product") ?? "pro",
        storefront: try fields.text("storefront") ?? "USA", currency: money[1], price: money[0],
        units: try fields.number("units") ?? 1, offer: try fields.text("offer"),
        isOneTime: try fields.bool("one_time") ?? false, only: try fields.text("only"))
    }
  }

  /// The Apple ID of each product.
  var numbers: [String: String] {
    Dictionary(
      uniqueKeysWithValues: Set(charges.map(\.product)).sorted().enumerated().map {
        ($1, "70\($0)")
      })
  }

  /// The charges as cells, before any row is counted in them.
  func cells(in symbols: SymbolTable) -> SalesReportTotals {
    var cells = SalesReportTotals(
      subscriberDays: alone == "sales" ? [] : Set(days),
      salesDays: alone == "subscriber" ? [] : Set(days))
    for charge in charges {
      guard let product = symbols.symbol(charge.product), let currency = Currency(charge.currency),
        let price = try? Milliunits(decimal: charge.price)
      else { continue }
      if charge.only != nil {
        cells.doubt(charge.day, ProductID(product), in: Storefront(charge.storefront))
      }
      guard charge.only != "sales" else { continue }
      let offer: SalesReportTotals.Offer
      switch charge.offer {
      case nil: offer = .none
      case "intro": offer = .introductory
      case let id?:
        guard alone != "sales", let symbol = symbols.symbol(id) else { continue }
        offer = .named(OfferID(symbol))
      }
      cells.add(
        Int64(charge.units), at: price,
        in: SalesReportTotals.Cell(
          day: charge.day, productID: ProductID(product),
          storefront: Storefront(charge.storefront), currency: currency, offer: offer))
    }
    return cells
  }

  /// Writes the reports as gzip files, like Apple's files.
  func write(to folder: TemporaryFolder) throws {
    for day in days {
      let charged = charges.filter { $0.day == day }
      let parts = day.text.split(separator: "-")
      let american = "\(parts[1])/\(parts[2])/\(parts[0])"
      var sales = [
        [
          "SKU", "Product Type Identifier", "Units", "Begin Date", "End Date", "Customer Currency",
          "Country Code", "Apple Identifier", "Customer Price", "Subscription", "Order Type",
        ]
      ]
      var subscriber = [
        [
          "Event Date", "Subscription Apple ID", "Promotional Offer ID", "Subscription Offer Type",
          "Customer Price", "Customer Currency", "Country", "Subscriber ID", "Refund", "Units",
        ]
      ]
      for charge in charged {
        let number = numbers[charge.product] ?? ""
        if charge.only != "subscriber" {
          sales.append([
            charge.product, charge.isOneTime ? "IA1" : "IAY", "\(charge.units)", american, american,
            charge.currency, charge.storefront, number, charge.price,
            charge.isOneTime ? " " : "New",
            charge.offer.map { $0 == "intro" ? "Pay As You Go Intro Offer" : "Promotional Offer" }
              ?? " ",
          ])
        }
        guard !charge.isOneTime, charge.only != "sales" else { continue }
        let isNamed = charge.offer != nil && charge.offer != "intro"
        subscriber.append([
          day.text, number, isNamed ? charge.offer ?? "" : "",
          charge.offer == "intro" ? "Pay As You Go" : "", charge.price, charge.currency,
          charge.storefront, "4711", " ", "\(charge.units)",
        ])
      }
      for (name, lines) in [("sales", sales), ("subscriber", subscriber)]
      where alone == nil || alone == name {
        let text = lines.map { $0.joined(separator: "\t") + "\n" }.joined()
        try folder.write("apple/\(name)-\(day.text).txt.gz", bytes: gzip(text))
      }
    }
  }
}
