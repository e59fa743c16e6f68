/// The answers of `Docs/analysts/answers.md` computed a second time, without any view.
///
/// They are computed in plain loops over the rows of `fct_revenue` and other tables.
struct AnswersOracle {
  /// A number in an answer.
  struct Figure {
    /// The number; `nil` for NULL.
    var value: Double?
    /// The number of decimals to which the query rounds; `nil` if it does not round.
    var decimals: Int?
  }

  /// The figures of each row, keyed by its texts, joined by `|`, and by column.
  typealias Answer = [String: [String: Figure]]

  /// A row of `fct_revenue`.
  struct Purchase {
    let key: Int
    let chain: String
    let customer: String
    let bundle: String
    let product: String
    let storefront: String?
    let currency: String?
    let isSubscription: Bool
    let periodKind: String
    let quantity: Int
    let paid: Int?
    let micros: Int?
    let low: Int?
    let high: Int?
    let purchasedAt: String
    let expiresAt: String?
    let accessEndsAt: String?
    let length: Length?
    let isRefunded: Bool
    let refundedMilli: Int?
    /// The month in which the purchase, or a part of it, was refunded.
    let refundMonth: String?
    let keepsRefunds: Bool
    let spell: Int?
    let paidNumber: Int?
    let offer: String?

    /// - Parameter refundedOn: The newest day on which a part of the purchase was refunded.
    init(_ row: FactRow, refundedOn: String?) {
      func text(_ column: String) -> String { row.text(column) ?? "" }
      key = row.number("purchase_key") ?? 0
      chain = text("original_transaction_id")
      customer = row.text("customer_key") ?? chain
      bundle = text("bundle_id")
      product = text("product_id")
      storefront = row.text("storefront")
      currency = row.text("currency")
      isSubscription = text("product_kind") == "auto_renewable_subscription"
      periodKind = text("period_kind")
      quantity = row.number("quantity") ?? 0
      paid = row.number("paid_milli")
      micros = row.number("paid_reporting_micros")
      low = row.number("paid_low_reporting_micros")
      high = row.number("paid_high_reporting_micros")
      purchasedAt = text("purchased_at")
      expiresAt = row.text("expires_at")
      accessEndsAt = row.text("access_ends_at")
      length = Length(row.text("covered_period"))
      isRefunded = text("reversal_kind") == "refund"
      refundedMilli = row.number("refunded_milli")
      refundMonth =
        isRefunded || row.number("refunded_milli") ?? 0 > 0
        ? String(
          ((isRefunded ? row.text("reversed_at") : nil) ?? refundedOn ?? text("purchased_at"))
            .prefix(7)) : nil
      keepsRefunds =
        text("product_kind") != "consumable" || row.number("signed_price_milli") != nil
      spell = row.number("spell_number")
      paidNumber = row.number("paid_number")
      offer = row.text("offer_name") ?? row.text("offer_id")
    }

    var day: String { String(purchasedAt.prefix(10)) }
    var month: String { String(purchasedAt.prefix(7)) }
    /// The app as views name it.
    var app: String { bundle.isEmpty ? "NULL" : bundle }
    /// The day on which access ends; empty without an end.
    var lastDay: String { String((accessEndsAt ?? "").prefix(10)) }
    /// Whether the purchase is a period of a subscription that is paid, or may be.
    var isPaidPeriod: Bool { isSubscription && paid != 0 }

    /// Whether the purchase gives access at the end of a day.
    func runs(atEndOf day: String) -> Bool { self.day <= day && lastDay > day }

    /// The converted amount without refunds; `nil` if unknown, but 0 after a refund of the whole.
    var kept: Int? {
      guard let refundedMilli else { return isRefunded ? 0 : micros }
      guard let micros, let paid else { return nil }
      return paid > 0 ? micros - micros * refundedMilli / paid : 0
    }

    /// The converted amount without refunds; `nil` if the amount is unknown, refunded or not.
    var knownKept: Int? { micros == nil ? nil : kept }

    /// The converted amount that was kept by the end of a month.
    func kept(by month: String) -> Int {
      (refundMonth.map { $0 <= month } ?? false) ? kept ?? 0 : micros ?? 0
    }

    /// A converted amount per month.
    func monthly(_ micros: Int?) -> Int {
      guard let micros, let (numerator, denominator) = length?.inMonths else { return 0 }
      return micros * numerator / denominator
    }

    /// The amount per month in millionths of its own currency.
    var ownMonthly: Int {
      guard let paid, let (numerator, denominator) = length?.inMonths else { return 0 }
      return paid * 1000 * numerator / denominator
    }
  }

  let purchases: [Purchase]
  /// The purchases of each chain, in order of time.
  let chains: [[Purchase]]
  /// The months of `dim_date`, ascending, each with its first and last day there.
  let months: [(name: String, first: String, last: String)]
  let asOf: String
  let completeThrough: String
  let reportingCurrency: String
  let conversions: [FactRow]
  let prices: [FactRow]
  let visitors: [FactRow]
  let completeness: Completeness
  /// The subscriptions that ended, and nobody has looked since.
  let unseen: [Unseen]

  /// A subscription whose end nobody has looked at: its last purchase, and the days from and before
  /// which it counts as not seen.
  struct Unseen {
    let purchase: Purchase
    let from: String
    let end: String

    func counts(on day: String) -> Bool { from <= day && day < end }
  }

  init(_ shop: Shop) throws {
    let revenue = try shop.facts("fct_revenue")
    let subscriptions = try shop.facts("dim_subscription")
    let refunds = Dictionary(
      try shop.facts("fct_revenue_entry").filter { $0.text("entry_kind") == "refund" }
        .map { ($0.number("purchase_key"), $0.text("entry_date") ?? "") }, uniquingKeysWith: max)
    purchases = revenue.map { Purchase($0, refundedOn: refunds[$0.number("purchase_key")]) }.sorted
    {
      ($0.purchasedAt, $0.expiresAt ?? "", $0.key) < ($1.purchasedAt, $1.expiresAt ?? "", $1.key)
    }
    chains = Array(Dictionary(grouping: purchases, by: \.chain).values)
    let days = try shop.facts("dim_date").compactMap { $0.text("date_day") }.sorted()
    months = Dictionary(grouping: days) { String($0.prefix(7)) }.map { name, days in
      (name, days[0], days[days.count - 1])
    }.sorted { $0.name < $1.name }
    let run = try shop.facts("audit_run").max {
      $0.number("run_id") ?? 0 < $1.number("run_id") ?? 0
    }
    asOf = run?.text("as_of") ?? ""
    completeThrough = run?.text("complete_through_date") ?? ""
    reportingCurrency = run?.text("reporting_currency") ?? ""
    conversions = try shop.facts("fct_conversion")
    prices = try shop.facts("dim_product_price")
    visitors = try shop.facts("customers_daily")
    completeness = Completeness(
      purchases: revenue, subscriptions: subscriptions, days: days,
      completeThrough: run?.text("complete_through_date"))
    let last = Dictionary(grouping: purchases.filter(\.isSubscription), by: \.chain)
      .mapValues { chain in
        chain.max {
          ($0.accessEndsAt ?? "", $0.purchasedAt, $0.key)
            < ($1.accessEndsAt ?? "", $1.purchasedAt, $1.key)
        }
      }
    unseen = subscriptions.filter { $0.text("seen_through_at") != nil }.compactMap { row in
      (last[row.text("original_transaction_id") ?? ""] ?? nil).map {
        Unseen(
          purchase: $0, from: String(cell(row.text("expires_at")).prefix(10)),
          end: String(cell(row.text("unseen_until")).prefix(10)))
      }
    }
  }

  // MARK: Figures

  static func count(_ value: Int?) -> Figure { Figure(value: value.map(Double.init)) }
  static func flag(_ value: Bool) -> Figure { count(value ? 1 : 0) }
  /// An amount in whole units, from millionths.
  static func money(_ micros: Int?) -> Figure {
    Figure(value: micros.map { Double($0) / 1_000_000 })
  }
  /// An amount for each of some, in whole units, from millionths; NULL for none.
  static func each(_ micros: Int?, of number: Int) -> Figure {
    Figure(
      value: number == 0 ? nil : micros.map { Double($0) / 1_000_000 / Double(number) }, decimals: 2
    )
  }
  /// A share in percent; NULL of nothing.
  static func percent(_ part: Int?, of whole: Int?) -> Figure {
    guard let part, let whole, whole != 0 else { return Figure(value: nil) }
    return Figure(value: 100 * Double(part) / Double(whole), decimals: 1)
  }

  /// Whether a month has ended, and all its days are complete.
  func isComplete(month: String) -> Bool { completeness.months.contains(month) }

  /// The chains whose end in a month nobody has looked at since.
  func unseenChains(in month: String) -> Set<String> {
    Set(unseen.filter { $0.from.hasPrefix(month) }.map(\.purchase.chain))
  }

  /// Whether a time was at least 60 days before the as-of time.
  func isSixtyDaysOld(_ time: String) -> Bool {
    Days.seconds(time) + 60 * 86_400 <= Days.seconds(asOf)
  }
}

/// The sum of the known numbers; `nil` if none is known, as in SQL.
func sumOfKnown(_ values: [Int?]) -> Int? {
  let known = values.compactMap(\.self)
  return known.isEmpty ? nil : known.reduce(0, +)
}
