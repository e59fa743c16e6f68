/// Subscriptions and recurring revenue, computed a second time.
extension ViewOracle {
  var renewalRate: [String] {
    let renewing = revenue.filter {
      $0.text("product_kind") == "auto_renewable_subscription" && $0.number("paid_number") != nil
        && $0.text("expires_at") != nil
    }
    let limit = Days.seconds(asOf) - 60 * 86_400
    return Dictionary(grouping: renewing) { row in
      [
        cell(row.text("bundle_id")), cell(row.text("product_id")), cell(row.text("storefront")),
        cell(row.number("paid_number")),
      ]
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
        key[0], key[1], key[2], key[3], cell(mature.count), cell(renewed),
        cell(mature.isEmpty ? nil : renewed * 10_000 / mature.count),
        cell(mature.count == rows.count))
    }
  }

  /// For each day, the rows that give access at its end.
  private func running(_ rows: [FactRow]) -> [(day: String, rows: [FactRow])] {
    let stretches = rows.map { row in
      (row: row, from: cell(row.text("purchased_date")), end: row.text("access_ends_at") ?? "")
    }
    return days.map { day in
      let next = Days.text(day, adding: 1)
      return (day, stretches.filter { $0.from <= day && $0.end >= next }.map(\.row))
    }
  }

  /// Subscription rows that give access at the end of at least one day.
  private func lasting(_ isIn: (FactRow) -> Bool) -> [FactRow] {
    revenue.filter { row in
      row.text("product_kind") == "auto_renewable_subscription" && isIn(row)
        && (row.text("purchased_date") ?? "") < (row.text("access_ends_at") ?? "").prefix(10)
    }
  }

  /// The lines of each group for each day, from the day of its first row.
  private func daily(
    _ rows: [FactRow], by columns: [String],
    line: (_ day: String, _ place: [String], _ running: [FactRow]) -> String
  ) -> [String] {
    groups(rows, columns).flatMap { place, rows in
      let first = rows.compactMap { $0.text("purchased_date") }.min() ?? ""
      return running(rows).filter { $0.day >= first }.map { line($0.day, place, $0.rows) }
    }
  }

  var activeSubscriptionsDaily: [String] {
    let rows = lasting { $0.number("paid_milli") != 0 }
    return daily(rows, by: ["bundle_id", "product_id", "storefront"]) { day, place, running in
      line(
        day, place[0], place[1], place[2],
        cell(count(running) { $0.number("paid_milli") ?? 0 > 0 }),
        cell(count(running) { $0.number("paid_milli") == nil }), cell(isComplete(day)))
    }
  }

  var mrrDaily: [String] {
    let rows = lasting { $0.number("paid_milli") != 0 && $0.text("covered_period") != nil }
    let columns = ["bundle_id", "product_id", "storefront", "currency"]
    return daily(rows, by: columns) { day, place, running in
      func total(_ column: String, per unit: Int, _ months: (Length) -> (Int, Int)) -> Int {
        running.reduce(0) { sum, row in
          guard let length = Length(row.text("covered_period")) else { return sum }
          let (numerator, denominator) = months(length)
          return sum + (row.number(column) ?? 0) * unit * numerator / denominator
        }
      }
      return line(
        day, place[0], place[1], place[2], place[3],
        cell(total("paid_milli", per: 1000, \.inMonths)),
        cell(total("paid_milli", per: 1000, \.inMonthsOfFourWeeks)), cell(isComplete(day)),
        cell(reportingCurrency), reporting(total("paid_reporting_micros", per: 1, \.inMonths)),
        cell(
          count(running) {
            $0.number("paid_milli") != nil && $0.number("paid_reporting_micros") == nil
          }),
        cell(count(running) { $0.number("paid_milli") == nil }),
        reporting(total("paid_low_reporting_micros", per: 1, \.inMonths)),
        reporting(total("paid_high_reporting_micros", per: 1, \.inMonths)),
        reporting(count(running) { $0.number("paid_high_reporting_micros") == nil }))
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

  /// The length in days; a year has 365 days.
  var days: Double {
    let one: [Character: Double] = ["D": 1, "W": 7, "M": 365.0 / 12, "Y": 365]
    return (one[unit] ?? 0) * Double(count)
  }

  /// The factor that converts an amount for this length to a monthly amount.
  var inMonths: (Int, Int) {
    switch unit {
    case "D": (365, 12 * count)
    case "W": (365, 84 * count)
    case "M": (1, count)
    default: (1, 12 * count)
    }
  }

  /// The same factor with the months of hosted services.
  var inMonthsOfFourWeeks: (Int, Int) {
    switch unit {
    case "D": (30, count)
    case "W": (4, count)
    case "M": (1, count)
    default: (1, 12 * count)
    }
  }
}
