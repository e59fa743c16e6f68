internal import Foundation

/// Every view worked out a second time, row by row in plain loops, from the tables alone.
///
/// Lines are the view's columns joined by `|`; NULL is the word.
struct ViewOracle {
  let revenue: [FactRow]
  let entries: [FactRow]
  let conversions: [FactRow]
  let evidence: [FactRow]
  let products: [FactRow]
  let days: [String]
  let asOf: String
  let completeThrough: String?
  let reportingCurrency: String?

  init(_ shop: Shop) throws {
    revenue = try shop.facts("fct_revenue")
    entries = try shop.facts("fct_revenue_entry")
    conversions = try shop.facts("fct_conversion")
    evidence = try shop.facts("price_evidence")
    products = try shop.facts("dim_product")
    days = try shop.facts("dim_date").compactMap { $0.text("date_day") }
    let run = try shop.facts("audit_run").max {
      $0.number("run_id") ?? 0 < $1.number("run_id") ?? 0
    }
    asOf = run?.text("as_of") ?? ""
    completeThrough = run?.text("complete_through_date")
    reportingCurrency = run?.text("reporting_currency")
  }

  private func isComplete(_ day: String?) -> Bool {
    guard let day, let completeThrough else { return false }
    return day <= completeThrough
  }

  private func sum(_ rows: [FactRow], _ column: String) -> Int {
    rows.reduce(0) { $0 + ($1.number(column) ?? 0) }
  }

  private func count(_ rows: [FactRow], _ condition: (FactRow) -> Bool) -> Int {
    rows.filter(condition).count
  }

  /// Rows by the values of some columns.
  private func groups(_ rows: [FactRow], _ columns: [String]) -> [([String], [FactRow])] {
    Dictionary(grouping: rows) { row in columns.map { cell(row.text($0)) } }.map { ($0, $1) }
  }

  private func reporting(_ value: Int) -> String {
    reportingCurrency == nil ? "NULL" : String(value)
  }

  // MARK: Money

  var revenueDaily: [String] {
    groups(revenue, ["purchased_date", "product_id", "currency"]).map { key, rows in
      let kept = rows.filter { $0.text("reversal_kind") != "refund" }
      let highs = rows.map { $0.number("paid_high_milli") }
      let estimated = rows.filter { $0.number("proceeds_estimate_micros") != nil }
      return line(
        key[0], key[1], key[2], cell(sum(rows, "paid_milli")), cell(sum(rows, "paid_low_milli")),
        highs.contains(nil) ? "NULL" : cell(sum(rows, "paid_high_milli")),
        cell(sum(kept, "paid_milli")), cell(count(rows) { $0.number("paid_milli") == nil }),
        cell(isComplete(key[0])), cell(reportingCurrency),
        reporting(sum(rows, "paid_reporting_micros")),
        reporting(sum(kept, "paid_reporting_micros")),
        cell(
          count(rows) {
            $0.number("paid_milli") != nil && $0.number("paid_reporting_micros") == nil
          }),
        estimated.isEmpty ? "NULL" : cell(sum(kept, "proceeds_estimate_micros")),
        cell(
          count(rows) {
            $0.number("paid_milli") != nil && $0.number("proceeds_estimate_micros") == nil
          }))
    }
  }

  var ledgerDaily: [String] {
    let productOf = Dictionary(
      uniqueKeysWithValues: revenue.map { ($0.number("purchase_key"), $0.text("product_id")) })
    let moved = entries.filter { $0.text("entry_kind") != "upgrade_credit_estimate" }
    let groups = Dictionary(grouping: moved) { entry in
      [
        cell(entry.text("entry_date")), cell(productOf[entry.number("purchase_key")] ?? nil),
        cell(entry.text("currency")),
      ]
    }
    return groups.map { key, rows in
      let charges = rows.filter { $0.text("entry_kind") == "charge" }
      let refunds = rows.filter { $0.text("entry_kind") == "refund" }
      return line(
        key[0], key[1], key[2], cell(sum(charges, "amount_milli")),
        cell(sum(refunds, "amount_milli")), cell(sum(rows, "amount_milli")),
        cell(isComplete(key[0])), cell(reportingCurrency),
        reporting(sum(charges, "amount_reporting_micros")),
        reporting(sum(refunds, "amount_reporting_micros")),
        reporting(sum(rows, "amount_reporting_micros")),
        cell(count(rows) { $0.number("amount_reporting_micros") == nil }))
    }
  }

  var coverageDaily: [String] {
    groups(revenue, ["purchased_date", "product_id"]).map { key, rows in
      let chargeable = rows.filter { $0.text("price_status") != "zero_by_rule" }
      let known = count(chargeable) { $0.number("paid_milli") != nil }
      let exact = count(chargeable) { $0.text("price_status") == "exact" }
      func share(_ part: Int) -> Int? {
        chargeable.isEmpty ? nil : part * 10_000 / chargeable.count
      }
      return line(
        key[0], key[1], cell(chargeable.count), cell(known), cell(exact), cell(share(known)),
        cell(share(exact)), cell(isComplete(key[0])))
    }
  }

  var refundRate: [String] {
    groups(revenue.filter { $0.number("paid_milli") ?? 0 > 0 }, ["purchased_date", "product_id"])
      .map { key, rows in
        let refunded = count(rows) { $0.text("reversal_kind") == "refund" }
        let isOld = Days.text(key[0], adding: 90) <= asOf
        return line(
          key[0], key[1], cell(rows.count), cell(refunded), cell(refunded * 10_000 / rows.count),
          cell(isComplete(key[0]) && isOld))
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
    return groups(rows, ["purchased_date", "product_id", "currency", "period_kind"]).map {
      key, rows in
      let listed = rows.reduce(0) { $0 + list($1) }
      let paid = sum(rows, "paid_milli")
      return line(
        key[0], key[1], key[2], key[3], cell(rows.count), cell(listed), cell(paid),
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

  // MARK: Offers

  /// `trial_conversion` or `intro_conversion`.
  func conversion(of kind: String) -> [String] {
    groups(
      conversions.filter { $0.text("offer_kind") == kind }, ["started_date", "offer_product_id"]
    ).map { key, rows in
      let converted = rows.filter { $0.text("status") == "converted" }
      func status(_ name: String) -> String { cell(count(rows) { $0.text("status") == name }) }
      let areMature = rows.allSatisfy { $0.number("is_mature") == 1 }
      return line(
        key[0], key[1], cell(rows.count), cell(sum(rows, "is_mature")),
        cell(count(converted) { $0.number("is_same_product") == 1 }),
        cell(count(converted) { $0.number("is_contiguous") == 1 }), cell(converted.count),
        cell(count(converted) { $0.text("conversion_refunded_at") != nil }), status("pending"),
        status("billing_retry"), status("lapsed"), cell(areMature && isComplete(key[0])))
    }
  }

  var offerPerformance: [String] {
    groups(conversions, ["offer_kind", "offer_id", "offer_product_id", "payment_mode", "currency"])
      .map { key, rows in
        let converted = rows.filter { $0.text("status") == "converted" }
        let unknown =
          count(rows) { $0.number("offer_paid_milli") == nil }
          + count(converted) { $0.number("converted_paid_milli") == nil }
        return line(
          key[0], key[1], key[2], key[3], key[4], cell(rows.count), cell(sum(rows, "is_mature")),
          cell(converted.count), cell(count(converted) { $0.number("is_same_product") == 1 }),
          cell(count(converted) { $0.text("conversion_refunded_at") != nil }),
          cell(count(rows) { ["pending", "billing_retry"].contains($0.text("status")) }),
          cell(count(rows) { $0.text("status") == "lapsed" }),
          cell(sum(rows, "offer_paid_milli")), cell(sum(rows, "converted_paid_milli")),
          cell(unknown),
          cell(
            rows.allSatisfy { $0.number("is_mature") == 1 && isComplete($0.text("started_date")) }))
      }
  }

  // MARK: Subscriptions

  var renewalRate: [String] {
    let renewing = revenue.filter {
      $0.text("product_kind") == "auto_renewable_subscription" && $0.number("paid_number") != nil
        && $0.text("expires_at") != nil
    }
    let limit = Days.seconds(asOf) - 60 * 86_400
    return Dictionary(grouping: renewing) { row in
      [cell(row.text("product_id")), cell(row.number("paid_number"))]
    }.map { key, rows in
      let mature = rows.filter { Days.seconds($0.text("expires_at") ?? "") <= limit }
      let renewed = count(mature) { row in
        revenue.contains { next in
          next.text("original_transaction_id") == row.text("original_transaction_id")
            && next.number("paid_number") == (row.number("paid_number") ?? 0) + 1
            && next.text("product_id") == row.text("product_id")
            && next.number("spell_number") == row.number("spell_number")
        }
      }
      return line(
        key[0], key[1], cell(mature.count), cell(renewed),
        cell(mature.isEmpty ? nil : renewed * 10_000 / mature.count),
        cell(mature.count == rows.count))
    }
  }

  /// The rows that give access at the end of each day.
  private func running(_ rows: [FactRow]) -> [(day: String, rows: [FactRow])] {
    let stretches = rows.map { row in
      (row: row, from: cell(row.text("purchased_date")), end: row.text("access_ends_at") ?? "")
    }
    return days.map { day in
      let next = Days.text(day, adding: 1)
      return (day, stretches.filter { $0.from <= day && $0.end >= next }.map(\.row))
    }
  }

  var activeSubscriptionsDaily: [String] {
    let renewing = revenue.filter { $0.text("product_kind") == "auto_renewable_subscription" }
    let names = Set(renewing.compactMap { $0.text("product_id") })
    return running(renewing).flatMap { day, running in
      names.map { name in
        let own = running.filter { $0.text("product_id") == name }
        return line(
          day, name, cell(count(own) { $0.number("paid_milli") ?? 0 > 0 }),
          cell(count(own) { $0.number("paid_milli") == nil }), cell(isComplete(day)))
      }
    }
  }

  var mrrDaily: [String] {
    let paid = revenue.filter {
      $0.text("product_kind") == "auto_renewable_subscription" && $0.number("paid_milli") ?? 0 > 0
        && $0.text("covered_period") != nil
        && ($0.text("purchased_date") ?? "")
          < ($0.text("access_ends_at") ?? "").prefix(10)
    }
    let currencies = Set(paid.map { cell($0.text("currency")) })
    return running(paid).flatMap { day, running in
      currencies.map { currency in
        let own = running.filter { cell($0.text("currency")) == currency }
        func total(_ column: String, per unit: Int, _ months: (Length) -> (Int, Int)) -> Int {
          own.reduce(0) { sum, row in
            guard let length = Length(row.text("covered_period")) else { return sum }
            let (numerator, denominator) = months(length)
            return sum + (row.number(column) ?? 0) * unit * numerator / denominator
          }
        }
        return line(
          day, currency, cell(total("paid_milli", per: 1000, \.inMonths)),
          cell(total("paid_milli", per: 1000, \.inMonthsOfFourWeeks)), cell(isComplete(day)),
          cell(reportingCurrency),
          reporting(total("paid_reporting_micros", per: 1, \.inMonths)),
          cell(count(own) { $0.number("paid_reporting_micros") == nil }))
      }
    }
  }
}

/// A length as ISO 8601 writes it: `P2W`.
struct Length {
  let count: Int
  let unit: Character

  init?(_ text: String?) {
    guard let text, let unit = text.last, let count = Int(text.dropFirst().dropLast()) else {
      return nil
    }
    self.count = count
    self.unit = unit
  }

  /// Days, a year of 365.
  var days: Double {
    let one: [Character: Double] = ["D": 1, "W": 7, "M": 365.0 / 12, "Y": 365]
    return (one[unit] ?? 0) * Double(count)
  }

  /// What an amount for this length is times a fraction, for a month.
  var inMonths: (Int, Int) {
    switch unit {
    case "D": (365, 12 * count)
    case "W": (365, 84 * count)
    case "M": (1, count)
    default: (1, 12 * count)
    }
  }

  /// The same with the hosted services' months.
  var inMonthsOfFourWeeks: (Int, Int) {
    switch unit {
    case "D": (30, count)
    case "W": (4, count)
    case "M": (1, count)
    default: (1, 12 * count)
    }
  }
}
