/// Subscriptions and recurring revenue, computed a second time.
extension ViewOracle {
  var renewalRate: [String] {
    let renewing = revenue.filter {
      $0.text("product_kind") == "auto_renewable_subscription" && $0.number("paid_number") != nil
        && $0.text("expires_at") != nil
    }
    let limit = Days.seconds(asOf) - 60 * 86_400
    let unseen = Set(unseen.compactMap { $0.purchase.number("purchase_key") })
    return Dictionary(grouping: renewing) { row in
      [
        cell(row.text("bundle_id")), cell(row.text("product_id")), cell(row.text("storefront")),
        cell(row.number("paid_number")),
      ]
    }.map { key, rows in
      let over = rows.filter { Days.seconds($0.text("expires_at") ?? "") <= limit }
      func isUnseen(_ row: FactRow) -> Bool { unseen.contains(row.number("purchase_key") ?? 0) }
      let (mature, hidden) = (over.filter { !isUnseen($0) }, count(rows, isUnseen))
      let renewed = count(over) { row in
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
        cell(over.count == rows.count && 100 * hidden <= rows.count), cell(hidden))
    }
  }

  /// The subscriptions that ended, and nobody has looked since, each with its last purchase.
  private var unseen: [(subscription: FactRow, purchase: FactRow)] {
    subscriptions.filter { $0.text("seen_through_at") != nil }.compactMap { subscription in
      let chain = subscription.text("original_transaction_id")
      return revenue.filter {
        $0.text("original_transaction_id") == chain
          && $0.text("product_kind") == "auto_renewable_subscription"
      }.max { left, right in
        func order(_ row: FactRow) -> (String, String, Int) {
          (
            cell(row.text("access_ends_at")), cell(row.text("purchased_at")),
            row.number("purchase_key") ?? 0
          )
        }
        return order(left) < order(right)
      }.map { (subscription, $0) }
    }
  }

  /// For each day, the purchases with which the subscriptions ended that count as not seen.
  private func hidden(_ rows: [(subscription: FactRow, purchase: FactRow)]) -> [String: [FactRow]] {
    Dictionary(
      uniqueKeysWithValues: days.map { day in
        (
          day,
          rows.filter {
            cell($0.subscription.text("expires_at")).prefix(10) <= day
              && day < cell($0.subscription.text("unseen_until")).prefix(10)
          }.map(\.purchase)
        )
      })
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
    line: (_ day: String, _ place: [String], _ running: [FactRow], _ hidden: [FactRow]) -> String
  ) -> [String] {
    let places = Dictionary(grouping: unseen) { one in
      columns.map { cell(one.purchase.text($0)) }
    }
    var all = Dictionary(groups(rows, columns)) { first, _ in first }
    for place in places.keys where all[place] == nil { all[place] = [] }
    return all.flatMap { place, rows in
      let own = places[place] ?? []
      let hidden = hidden(own)
      let starts =
        rows.compactMap { $0.text("purchased_date") }
        + own.compactMap { $0.subscription.text("expires_at").map { String($0.prefix(10)) } }
      return running(rows).filter { $0.day >= starts.min() ?? "" }
        .map { line($0.day, place, $0.rows, hidden[$0.day] ?? []) }
    }
  }

  var activeSubscriptionsDaily: [String] {
    let rows = lasting { $0.number("paid_milli") != 0 }
    return daily(rows, by: ["bundle_id", "product_id", "storefront"]) {
      day, place, running, hidden in
      line(
        day, place[0], place[1], place[2],
        cell(count(running) { $0.number("paid_milli") ?? 0 > 0 }),
        cell(count(running) { $0.number("paid_milli") == nil }), cell(isComplete(day)),
        cell(hidden.count))
    }
  }

  var mrrDaily: [String] {
    let rows = lasting { $0.number("paid_milli") != 0 && $0.text("covered_period") != nil }
    let columns = ["bundle_id", "product_id", "storefront", "currency"]
    return daily(rows, by: columns) { day, place, running, hidden in
      // A free period says nothing of what follows it.
      let limits = hidden.map { row -> Int? in
        guard row.number("paid_milli") != 0, let length = Length(row.text("covered_period")),
          let high = row.number("paid_high_reporting_micros")
        else { return nil }
        return high * length.inMonths.0 / length.inMonths.1
      }
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
        reporting(
          total("paid_high_reporting_micros", per: 1, \.inMonths)
            + limits.compactMap(\.self).reduce(0, +)),
        reporting(
          count(running) { $0.number("paid_high_reporting_micros") == nil }
            + limits.count { $0 == nil }), cell(hidden.count),
        reporting(total("paid_reporting_micros", per: 1, \.inMonthsOfFourWeeks)))
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
