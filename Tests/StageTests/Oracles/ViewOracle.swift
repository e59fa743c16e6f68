/// Every view computed a second time, row by row in plain loops, only from the tables.
///
/// A line has the view's columns, joined by `|`; NULL is written as `NULL`.
struct ViewOracle {
  let revenue: [FactRow]
  let entries: [FactRow]
  let conversions: [FactRow]
  let evidence: [FactRow]
  let products: [FactRow]
  let subscriptions: [FactRow]
  let days: [String]
  let asOf: String
  let completeThrough: String?
  let reportingCurrency: String?
  let completeness: Completeness

  init(_ shop: Shop) throws {
    revenue = try shop.facts("fct_revenue")
    entries = try shop.facts("fct_revenue_entry")
    conversions = try shop.facts("fct_conversion")
    evidence = try shop.facts("price_evidence")
    products = try shop.facts("dim_product")
    subscriptions = try shop.facts("dim_subscription")
    days = try shop.facts("dim_date").compactMap { $0.text("date_day") }
    let run = try shop.facts("audit_run").max {
      $0.number("run_id") ?? 0 < $1.number("run_id") ?? 0
    }
    asOf = run?.text("as_of") ?? ""
    completeThrough = run?.text("complete_through_date")
    reportingCurrency = run?.text("reporting_currency")
    completeness = Completeness(
      purchases: revenue, subscriptions: subscriptions, days: days, completeThrough: completeThrough
    )
  }

  func isComplete(_ day: String?) -> Bool {
    day.map { completeness.days.contains($0) } ?? false
  }

  /// The sum of the known values of a column; `nil` if no row has one, as in SQL.
  func known(_ rows: [FactRow], _ column: String) -> Int? {
    sumOfKnown(rows.map { $0.number(column) })
  }

  /// The sum of a column without refunds; `nil` if no row has a value.
  func knownNet(_ rows: [FactRow], _ column: String) -> Int? {
    let known = rows.filter { $0.number(column) != nil }
    return known.isEmpty ? nil : net(known, column)
  }

  func reporting(_ value: Int?) -> String {
    reportingCurrency == nil ? "NULL" : cell(value)
  }

  func sum(_ rows: [FactRow], _ column: String) -> Int {
    rows.reduce(0) { $0 + ($1.number(column) ?? 0) }
  }

  /// The sum of a column without refunded rows and refunded parts of rows.
  func net(_ rows: [FactRow], _ column: String) -> Int {
    rows.reduce(0) { sum, row in
      let amount = row.number(column) ?? 0
      guard let refunded = row.number("refunded_milli"), let paid = row.number("paid_milli"),
        paid > 0
      else { return sum + (row.text("reversal_kind") == "refund" ? 0 : amount) }
      return sum + amount - amount * refunded / paid
    }
  }

  func count(_ rows: [FactRow], _ condition: (FactRow) -> Bool) -> Int {
    rows.filter(condition).count
  }

  /// Groups rows by the values of some columns.
  func groups(_ rows: [FactRow], _ columns: [String]) -> [([String], [FactRow])] {
    Dictionary(grouping: rows) { row in columns.map { cell(row.text($0)) } }.map { ($0, $1) }
  }

  /// The number of rows with an amount but without one in the reporting currency.
  func unconverted(_ rows: [FactRow]) -> Int {
    count(rows) { $0.number("paid_milli") != nil && $0.number("paid_reporting_micros") == nil }
  }

  /// Whether something may have been paid.
  func isChargeable(_ row: FactRow) -> Bool { row.number("paid_milli") != 0 }

  // MARK: Money

  var revenueDaily: [String] {
    let columns = ["purchased_date", "bundle_id", "product_id", "storefront", "currency"]
    return groups(revenue, columns).map { key, rows in
      let open = rows.filter { $0.number("paid_high_reporting_micros") == nil }
      let highs = rows.map { $0.number("paid_high_milli") }
      let estimated = rows.filter { $0.number("proceeds_estimate_micros") != nil }
      return line(
        key[0], key[1], key[2], key[3], key[4], cell(known(rows, "paid_milli")),
        cell(sum(rows, "paid_low_milli")),
        highs.contains(nil) ? "NULL" : cell(sum(rows, "paid_high_milli")),
        cell(knownNet(rows, "paid_milli")), cell(count(rows, isChargeable)),
        cell(count(rows) { $0.number("paid_milli") == nil }),
        cell(isComplete(key[0])), cell(reportingCurrency),
        reporting(known(rows, "paid_reporting_micros")),
        reporting(sum(rows, "paid_low_reporting_micros")),
        reporting(sum(rows, "paid_high_reporting_micros")),
        reporting(knownNet(rows, "paid_reporting_micros")),
        cell(unconverted(rows)),
        reportingCurrency == nil ? "NULL" : cell(open.count),
        cell(count(rows) { $0.number("is_high_estimated") == 1 }),
        estimated.isEmpty ? "NULL" : cell(net(rows, "proceeds_estimate_micros")),
        cell(
          count(rows) {
            $0.number("paid_milli") != nil && $0.number("proceeds_estimate_micros") == nil
          }))
    }
  }

  var revenueMonthly: [String] {
    let months = Dictionary(grouping: revenue) { row in
      [String(cell(row.text("purchased_date")).prefix(7))]
        + ["bundle_id", "product_id", "currency"].map { cell(row.text($0)) }
    }
    return months.map { key, rows in
      func gross(_ basis: String) -> Int? {
        known(rows.filter { $0.text("proceeds_basis") == basis }, "paid_milli")
      }
      let (apple, all) = (gross("apple_report"), known(rows, "paid_milli") ?? 0)
      let hasProceeds = rows.contains { $0.text("proceeds_basis") != nil }
      return line(
        key[0], key[1], key[2], key[3], cell(known(rows, "paid_milli")),
        cell(knownNet(rows, "paid_milli")), cell(count(rows) { $0.number("paid_milli") == nil }),
        cell(apple), cell(gross("estimate")),
        cell(hasProceeds && all > 0 ? 10_000 * (apple ?? 0) / all : nil),
        cell(completeness.months.contains(key[0])), cell(count(rows, isChargeable)),
        cell(reportingCurrency), reporting(known(rows, "paid_reporting_micros")),
        reporting(sum(rows, "paid_low_reporting_micros")),
        reporting(sum(rows, "paid_high_reporting_micros")),
        reporting(knownNet(rows, "paid_reporting_micros")), cell(unconverted(rows)),
        reporting(count(rows) { $0.number("paid_high_reporting_micros") == nil }),
        cell(sum(rows, "is_high_estimated")))
    }
  }

  /// A money movement, or a charge of unknown amount.
  private struct LedgerLine {
    var key: [String]
    var kind: String
    var milli: Int?
    var micros: Int?
    var low: Int?
    var high: Int?
  }

  private var ledgerLines: [LedgerLine] {
    let rowOf = Dictionary(uniqueKeysWithValues: revenue.map { ($0.number("purchase_key"), $0) })
    var lines = entries.filter { $0.text("entry_kind") != "upgrade_credit_estimate" }.map { entry in
      let micros = entry.number("amount_reporting_micros")
      return LedgerLine(
        key: [
          cell(entry.text("entry_date")),
          cell(rowOf[entry.number("purchase_key")]?.text("bundle_id")),
          cell(rowOf[entry.number("purchase_key")]?.text("product_id")),
          cell(entry.text("currency")),
        ], kind: cell(entry.text("entry_kind")), milli: entry.number("amount_milli"),
        micros: micros, low: micros, high: micros)
    }
    for row in revenue where row.number("paid_milli") == nil {
      let (low, high) = (
        row.number("paid_low_reporting_micros"), row.number("paid_high_reporting_micros")
      )
      let rest = ["bundle_id", "product_id", "currency"].map { cell(row.text($0)) }
      lines.append(
        LedgerLine(
          key: [cell(row.text("purchased_date"))] + rest, kind: "unknown charge", low: low,
          high: high))
      guard row.text("reversal_kind") == "refund" else { continue }
      lines.append(
        LedgerLine(
          key: [String(cell(row.text("reversed_at")).prefix(10))] + rest, kind: "unknown refund",
          low: high.map(-), high: low.map(-)))
    }
    return lines
  }

  var ledgerDaily: [String] {
    Dictionary(grouping: ledgerLines, by: \.key).map { key, lines in
      func total(_ kind: String, _ amount: (LedgerLine) -> Int?) -> Int? {
        let all = lines.filter { $0.kind.hasSuffix(kind) }
        let known = all.compactMap(amount)
        return known.isEmpty && !all.isEmpty ? nil : known.reduce(0, +)
      }
      let unknown = lines.filter { $0.milli == nil }
      return line(
        key[0], key[1], key[2], key[3], cell(total("charge", \.milli)),
        cell(total("refund", \.milli)),
        cell(total("", \.milli)), cell(isComplete(key[0])), cell(reportingCurrency),
        reporting(total("charge", \.micros)), reporting(total("refund", \.micros)),
        reporting(total("", \.micros)),
        cell(lines.count { $0.milli != nil && $0.micros == nil }),
        cell(lines.count { $0.kind == "charge" || $0.kind == "unknown charge" }),
        cell(unknown.count), reporting(total("", \.low) ?? 0),
        reporting(total("", \.high) ?? 0),
        reporting(lines.count { $0.low == nil || $0.high == nil }))
    }
  }

  var coverageDaily: [String] {
    groups(revenue, ["purchased_date", "bundle_id", "product_id", "storefront"]).map { key, rows in
      let chargeable = rows.filter(isChargeable)
      let known = count(chargeable) { $0.number("paid_milli") != nil }
      let exact = count(chargeable) { $0.text("price_status") == "exact" }
      func share(_ part: Int) -> Int? {
        chargeable.isEmpty ? nil : part * 10_000 / chargeable.count
      }
      return line(
        key[0], key[1], key[2], key[3], cell(chargeable.count), cell(known), cell(exact),
        cell(share(known)),
        cell(share(exact)), cell(isComplete(key[0])))
    }
  }

  var refundRate: [String] {
    let paid = revenue.filter { $0.number("paid_milli") ?? 0 > 0 }
    return groups(paid, ["purchased_date", "bundle_id", "product_id"])
      .map { key, rows in
        let isSeen = rows.allSatisfy {
          $0.text("product_kind") != "consumable" || $0.number("signed_price_milli") != nil
        }
        let refunded = isSeen ? count(rows) { $0.text("reversal_kind") == "refund" } : nil
        let isOld = Days.text(key[0], adding: 90) <= asOf
        return line(
          key[0], key[1], key[2], cell(rows.count), cell(refunded),
          cell(refunded.map { $0 * 10_000 / rows.count }), cell(isComplete(key[0]) && isOld))
      }
  }

  var discountDepth: [String] {
    let periods = Dictionary(
      uniqueKeysWithValues: products.map { ($0.text("product_id"), $0.text("subscription_period")) }
    )
    func list(_ row: FactRow) -> Int {
      let one = (row.number("list_price_milli") ?? 0) * (row.number("quantity") ?? 0)
      guard row.text("payment_mode") == "pay_up_front",
        let own = Length(row.text("covered_period")),
        let period = Length(periods[row.text("product_id")] ?? nil)
      else { return one }
      return one * max(1, Int((own.days / period.days).rounded()))
    }
    let rows = revenue.filter {
      $0.number("paid_milli") ?? 0 > 0 && $0.number("list_price_milli") != nil
    }
    let columns = ["purchased_date", "bundle_id", "product_id", "currency", "period_kind"]
    return groups(rows, columns).map { key, rows in
      let listed = rows.reduce(0) { $0 + list($1) }
      let paid = sum(rows, "paid_milli")
      return line(
        key[0], key[1], key[2], key[3], key[4], cell(rows.count), cell(listed), cell(paid),
        cell(listed == 0 ? nil : 10_000 - paid * 10_000 / listed), cell(isComplete(key[0])))
    }
  }

  var priceOutlier: [String] {
    evidence.filter { !["believed", "no_reference"].contains($0.text("verdict")) }.map { row in
      let reference = row.number("reference_milli") ?? 0
      let ratio = reference == 0 ? nil : (row.number("price_milli") ?? 0) * 10_000 / reference
      return line(
        cell(row.number("evidence_id")), cell(row.number("price_milli")),
        cell(row.number("reference_milli")), cell(ratio), cell(row.text("verdict")))
    }
  }
}
