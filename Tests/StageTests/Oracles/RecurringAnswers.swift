/// Answers 1 to 4: recurring revenue, its changes, churn and retention.
extension AnswersOracle {
  /// The purchases that recurring revenue consists of, whether or not their amount is known.
  private var recurring: [Purchase] {
    purchases.filter { $0.isPaidPeriod && $0.length != nil && $0.day < $0.lastDay }
  }

  // MARK: 1

  var mrr: Answer {
    let all = recurring
    let first = all.map(\.day).min() ?? "9999"
    var answer: Answer = [:]
    for month in months where month.last >= first {
      // The newest month is left out before its last day.
      guard Days.text(month.last, adding: 1).prefix(7) > month.name else { continue }
      let running = all.filter { $0.runs(atEndOf: month.last) }
      let total = running.reduce(0) { $0 + $1.monthly($1.micros) }
      answer["\(month.last)|\(reportingCurrency)"] = [
        "mrr": Self.money(total), "arr": Self.money(12 * total),
        "at_least": Self.money(running.reduce(0) { $0 + $1.monthly($1.low) }),
        "at_most": Self.money(running.reduce(0) { $0 + $1.monthly($1.high) }),
        "without_amount": Self.count(running.count { $0.paid == nil }),
        "without_limit": Self.count(running.count { $0.high == nil }),
        "without_rate": Self.count(running.count { $0.paid != nil && $0.micros == nil }),
        "is_complete": Self.flag(month.last <= completeThrough),
      ]
    }
    return answer
  }

  // MARK: 2

  /// A product, country and currency of a chain.
  private struct Place: Hashable {
    var bundle: String
    var product: String
    var storefront: String
    var currency: String
  }

  /// Recurring revenue in its own currency and converted.
  private struct Level {
    var own = 0
    var converted = 0
  }

  private struct Movement {
    /// The app and its product.
    var product: [String]
    var kind: String
    var start: Level
    var end: Level
    /// The change in the own currency, without the change by another product.
    var change: Int
    /// The exchange rate of a subscription that goes on in its currency.
    var rate: Double?
  }

  private func levels(_ running: [Purchase]) -> [Place: Level] {
    var levels: [Place: Level] = [:]
    for one in running {
      let place = Place(
        bundle: one.bundle, product: one.product, storefront: one.storefront ?? "",
        currency: one.currency ?? "")
      levels[place, default: Level()].own += one.ownMonthly
      levels[place]?.converted += one.monthly(one.micros)
    }
    return levels
  }

  /// The movements of one chain in one month.
  private func movements(_ chain: [Purchase], of month: Int) -> [Movement] {
    let ended = chain.filter { $0.runs(atEndOf: months[month].last) }
    let end = levels(ended)
    let start =
      month == 0 ? [:] : levels(chain.filter { $0.runs(atEndOf: months[month - 1].last) })
    guard !start.isEmpty || !end.isEmpty else { return [] }
    let kindOfStart: String
    if chain.map(\.month).min() == months[month].name {
      kindOfStart = "new"
    } else {
      let spell = ended.first?.spell
      let begun = chain.filter { $0.spell == spell }.map(\.month).min()
      kindOfStart = begun == months[month].name ? "reactivated" : "recovered"
    }
    return Set(start.keys).union(end.keys).map { place in
      func total(_ levels: [Place: Level]) -> Level {
        levels.filter { $0.key.currency == place.currency }.values.reduce(into: Level()) {
          $0.own += $1.own
          $0.converted += $1.converted
        }
      }
      let (before, after) = (total(start), total(end))
      let (ownStart, ownEnd) = (start[place] ?? Level(), end[place] ?? Level())
      let goesOn = before.own > 0 && after.own > 0
      // One line of each currency has its change of price: the largest one at the end.
      let largest = Set(start.keys).union(end.keys)
        .filter { $0.currency == place.currency }.min { left, right in
          (-(end[left]?.own ?? 0), left.bundle, left.product, left.storefront)
            < (-(end[right]?.own ?? 0), right.bundle, right.product, right.storefront)
        }
      let change =
        !goesOn ? ownEnd.own - ownStart.own : largest == place ? after.own - before.own : 0
      let kind =
        start.isEmpty
        ? kindOfStart
        : end.isEmpty ? "churned" : after.own > before.own ? "expansion" : "contraction"
      return Movement(
        product: [place.bundle.isEmpty ? "NULL" : place.bundle, place.product], kind: kind,
        start: ownStart, end: ownEnd, change: change,
        rate: goesOn ? Double(after.converted) / Double(after.own) : nil)
    }
  }

  /// All movements, keyed by the position of the month.
  private var allMovements: [Int: [Movement]] {
    let known = chains.map { chain in
      chain.filter {
        $0.isPaidPeriod && $0.paid != nil && $0.length != nil && $0.day < $0.lastDay
      }
    }
    return Dictionary(
      uniqueKeysWithValues: months.indices.map { month in
        (month, known.flatMap { movements($0, of: month) })
      })
  }

  var mrrChanges: Answer {
    var answer: Answer = [:]
    for (month, all) in allMovements {
      for (product, lines) in Dictionary(grouping: all, by: \.product) {
        var figures: [String: Figure] = [:]
        func converted(_ line: Movement) -> Int {
          line.rate.map { Int(Double(line.change) * $0) }
            ?? line.end.converted - line.start.converted
        }
        func moved(_ line: Movement) -> Int {
          line.rate.map { Int(Double(line.end.own - line.start.own - line.change) * $0) } ?? 0
        }
        for kind in ["new", "reactivated", "recovered", "expansion", "contraction", "churned"] {
          figures[kind] = Self.money(
            lines.filter { $0.kind == kind }.reduce(0) { $0 + converted($1) })
        }
        figures["at_start"] = Self.money(lines.reduce(0) { $0 + $1.start.converted })
        figures["at_end"] = Self.money(lines.reduce(0) { $0 + $1.end.converted })
        figures["product_change"] = Self.money(lines.reduce(0) { $0 + moved($1) })
        figures["exchange"] = Self.money(
          lines.reduce(0) {
            $0 + $1.end.converted - $1.start.converted - converted($1) - moved($1)
          })
        figures["is_complete"] = Self.flag(isComplete(month: months[month].name))
        answer["\(months[month].name)|\(product[0])|\(product[1])"] = figures
      }
    }
    return answer
  }

  // MARK: 3

  var churn: Answer {
    let moved = allMovements
    var answer: Answer = [:]
    for month in months.indices.dropFirst() {
      let running = chains.filter { chain in
        chain.contains { $0.isPaidPeriod && $0.runs(atEndOf: months[month - 1].last) }
      }
      let lost = running.filter { chain in
        !chain.contains { $0.isPaidPeriod && $0.runs(atEndOf: months[month].last) }
      }
      let lines = moved[month] ?? []
      guard !running.isEmpty, !lines.isEmpty else { continue }
      let churned = lines.filter { $0.kind == "churned" }
      answer[months[month].name] = [
        "at_start": Self.count(running.count), "churned": Self.count(lost.count),
        "subscriber_churn": Self.percent(lost.count, of: running.count),
        "revenue_churn": Self.percent(
          churned.reduce(0) { $0 + $1.start.converted - $1.end.converted },
          of: lines.reduce(0) { $0 + $1.start.converted }),
        "is_complete": Self.flag(isComplete(month: months[month].name)),
      ]
    }
    return answer
  }

  // MARK: 4

  var retention: Answer {
    /// The subscriptions of a chain to one product: the paid periods of the first spell.
    struct Life {
      var periods: Int
      var isOver: Bool
    }
    var lives: [[String]: [Life]] = [:]
    var longest: [[String]: Int] = [:]
    for chain in chains {
      let payable = chain.filter {
        $0.isSubscription && $0.paidNumber != nil && $0.expiresAt != nil
      }
      for (product, periods) in Dictionary(grouping: payable, by: { [$0.app, $0.product] }) {
        let spells = Dictionary(grouping: periods) { $0.spell ?? 0 }
        longest[product] = max(longest[product] ?? 0, spells.values.map(\.count).max() ?? 0)
        guard let first = spells.min(by: { $0.key < $1.key })?.value,
          let began = first.min(by: { ($0.paidNumber ?? 0) < ($1.paidNumber ?? 0) }),
          let end = first.compactMap(\.expiresAt).max()
        else { continue }
        lives[product + [began.month], default: []]
          .append(Life(periods: first.count, isOver: isSixtyDaysOld(end)))
      }
    }
    var answer: Answer = [:]
    for (cohort, all) in lives {
      for number in 1...(longest[Array(cohort.prefix(2))] ?? 1) {
        let reached = all.count { $0.periods >= number }
        let decided = all.count { $0.periods >= number || $0.isOver }
        guard decided > 0 else { continue }
        answer["\(cohort.joined(separator: "|"))|\(number)"] = [
          "subscriptions": Self.count(all.count), "retained": Self.count(reached),
          "percent": Self.percent(reached, of: all.count),
          "is_complete": Self.flag(decided == all.count && isComplete(month: cohort[2])),
        ]
      }
    }
    return answer
  }
}
