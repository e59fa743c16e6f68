import Amounts
import CivilTime
import Deciding
import PaidAmounts
import PriceLearning
import Purchases
import TestSupport

/// A store that a test defines, after all four steps.
struct Story {
  let built: BuiltStore
  let book: PurchaseHistory
  let timelines: BillingTimelines
  let result: DecidedStore
  let policy: RenewalPolicy

  init(policy: RenewalPolicy = .history, _ build: (inout StoreBuilder) -> Void) throws {
    var store = StoreBuilder()
    build(&store)
    try self.init(store, policy: policy)
  }

  init(_ store: StoreBuilder, policy: RenewalPolicy = .history) throws {
    built = store.build()
    self.policy = policy
    result = try DecidedStore(built.observations, catalogue: built.catalogue, policy: policy)
    book = result.decided.purchases
    timelines = result.decided.timelines
  }

  /// The amount paid for each revenue row.
  var amounts: [PaidAmount] { result.decided.amounts.amounts }
  /// The reports that are used, with the verdict on each.
  var reports: [HouseholdReport] { result.batch.reports }
  var reportVerdicts: ReportVerdicts { result.prices.reportVerdicts }
  /// The price history.
  var intervals: [PriceInterval] { result.prices.history.intervals }

  /// The position of the purchase with a transaction id.
  func row(_ id: String) -> Int? { book.purchase(named: built.transaction(id)) }

  /// The amount paid for a purchase.
  func amount(_ id: String) throws -> PaidAmount {
    guard let row = row(id), row < amounts.count else { throw UnknownRow(id: id) }
    return amounts[row]
  }

  /// The amount as text: `9.99 USD exact reported_with_purchase`, `[0, ?] unresolved …`.
  func line(_ id: String) throws -> String {
    let amount = try amount(id)
    let decimals = amount.currency?.decimals ?? 2
    let tail = "\(amount.status.rawValue) \(amount.rule.rawValue)"
    let code = amount.currency.map { " " + $0.code } ?? ""
    if let paid = amount.paid { return "\(paid.text(decimals: decimals))\(code) \(tail)" }
    let high = amount.high.map { $0.text(decimals: decimals) } ?? "?"
    return "[\(amount.low.text(decimals: decimals)), \(high)]\(code) \(tail)"
  }

  /// The verdicts in the order of the reports.
  var verdicts: [Verdict] { reportVerdicts.map(\.verdict) }

  /// The intervals of a product's regular price as texts: `from to price voters`.
  func regularIntervals(_ product: String = "pro") -> [String] {
    intervals.filter {
      $0.productID == built.product(product) && $0.series.kind == .regular
    }.map(text)
  }

  /// An interval in one line; `-` is an open end.
  func text(_ interval: PriceInterval) -> String {
    let from = interval.from?.text ?? "-"
    let to = interval.to?.text ?? "-"
    let price = interval.price.text(decimals: interval.currency.decimals)
    return "\(from) \(to) \(price) voters \(interval.voters)"
  }

  struct UnknownRow: Error { var id: String }
}

extension StoreBuilder {
  /// Adds a customer's receipt with one month of the product for each of the given days.
  ///
  /// Ids are the chain's name and a number, from 1.
  mutating func months(
    _ chain: String, customer: String? = nil, storefront: String? = nil, product: String = "pro",
    from days: [String], at snapshot: String = "2023-01-01"
  ) {
    let rows = days.enumerated().map { index, from in
      StoreRow(
        "\(chain)\(index + 1)", of: chain, item: "\(chain)-\(index + 1)", product: product,
        bought: from, until: Story.month(after: from), trial: false, intro: false)
    }
    record(at: snapshot, customer: customer, storefront: storefront, latest: rows)
  }

  /// Adds reports of one price from voters without purchases.
  mutating func votes(
    _ price: String, by voters: [String], at time: String, product: String = "pro",
    storefront: String? = nil, currency: String = "USD", offers: [StoreOffer] = []
  ) {
    for voter in voters {
      report(
        at: time, customer: voter, product: product, storefront: storefront, currency: currency,
        price: price, offers: offers)
    }
  }
}

extension Story {
  /// The same day of the next month; the scenarios choose days that exist.
  static func month(after text: String) -> String {
    let date = day(String(text.prefix(10))).date
    let (year, month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(date.day))" + text.dropFirst(10)
  }
}
