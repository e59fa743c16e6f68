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
      let hidden = unseen.filter { $0.counts(on: month.last) }.map(\.purchase)
      // A free period says nothing of what follows it.
      let bounded = hidden.filter { $0.paid != 0 && $0.high != nil && $0.length != nil }
      let total = running.reduce(0) { $0 + $1.monthly($1.micros) }
      answer["\(month.last)|\(reportingCurrency)"] = [
        "mrr": Self.money(total), "arr": Self.money(12 * total),
        "at_least": Self.money(running.reduce(0) { $0 + $1.monthly($1.low) }),
        "at_most": Self.money((running + bounded).reduce(0) { $0 + $1.monthly($1.high) }),
        "without_amount": Self.count(running.count { $0.paid == nil }),
        "not_seen": Self.count(hidden.count),
        "without_limit": Self.count(
          running.count { $0.high == nil } + hidden.count - bounded.count),
        "without_rate": Self.count(running.count { $0.paid != nil && $0.micros == nil }),
        "is_complete": Self.flag(completeness.days.contains(month.last)),
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
    /// The kind of the change in the reporting currency.
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

  /// Why a chain has recurring revenue at the end of a month that it had not at its start, or no
  /// more; `nil` if it goes on.
  private func reason(
    _ chain: [Purchase], begun: [Purchase], ended: [Purchase], in month: String,
    _ unseen: Set<String>
  ) -> String? {
    // Without an amount in the reporting currency at either end, nobody knows.
    if (begun + ended).contains(where: { $0.micros == nil }) { return "unresolved" }
    if ended.isEmpty { return unseen.contains(chain[0].chain) ? "not_seen" : "churned" }
    guard begun.isEmpty else { return nil }
    if chain.map(\.month).min() == month { return "new" }
    let spell = chain.filter { $0.spell == ended[0].spell }.map(\.month).min()
    return spell == month ? "reactivated" : "recovered"
  }

  /// The movements of one chain in one month.
  private func movements(_ chain: [Purchase], of month: Int, _ unseen: Set<String>) -> [Movement] {
    let ended = chain.filter { $0.runs(atEndOf: months[month].last) }
    let begun = month == 0 ? [] : chain.filter { $0.runs(atEndOf: months[month - 1].last) }
    let (start, end) = (levels(begun), levels(ended))
    guard !start.isEmpty || !end.isEmpty else { return [] }
    let reason = reason(chain, begun: begun, ended: ended, in: months[month].name, unseen)
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
      let kind = reason ?? (after.own > before.own ? "expansion" : "contraction")
      return Movement(
        product: [place.bundle.isEmpty ? "NULL" : place.bundle, place.product], kind: kind,
        start: ownStart, end: ownEnd, change: change,
        rate: goesOn && reason != "unresolved" ? Double(after.converted) / Double(after.own) : nil)
    }
  }

  /// All movements, keyed by the position of the month.
  private var allMovements: [Int: [Movement]] {
    let known = chains.map { chain in
      chain.filter {
        $0.isPaidPeriod && $0.length != nil && $0.day < $0.lastDay
      }
    }
    return Dictionary(
      uniqueKeysWithValues: months.indices.map { month in
        let unseen = unseenChains(in: months[month].name)
        return (month, known.flatMap { movements($0, of: month, unseen) })
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
        for kind in [
          "new", "reactivated", "recovered", "expansion", "contraction", "churned", "not_seen",
          "unresolved",
        ] {
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
      let hidden = unseenChains(in: months[month].name)
      let notSeen = lost.count { hidden.contains($0[0].chain) }
      func loss(_ kind: String) -> Int {
        lines.filter { $0.kind == kind }
          .reduce(0) { $0 + $1.start.converted - $1.end.converted }
      }
      answer[months[month].name] = [
        "at_start": Self.count(running.count), "churned": Self.count(lost.count - notSeen),
        "not_seen": Self.count(notSeen),
        "subscriber_churn": Self.percent(lost.count - notSeen, of: running.count - notSeen),
        "revenue_churn": Self.percent(
          loss("churned"), of: lines.reduce(0) { $0 + $1.start.converted } - loss("not_seen")),
        "is_complete": Self.flag(isComplete(month: months[month].name)),
      ]
    }
    return answer
  }

  // MARK: 4

  /// A subscription of a chain to one product: the paid periods of its first spell.
  private struct Life {
    var periods: Int
    /// The number of periods that could have begun by now.
    var possible: Int
    var isOver: Bool
    var isUnseen: Bool
  }

  /// Counts the periods that could have begun after one that has ended, each when the former one
  /// was due to end.
  private func periodsDue(after last: Purchase) -> Int {
    var due = 0
    let end = last.expiresAt ?? ""
    func isDue(_ number: Int) -> Bool {
      guard let length = last.length, length.unit == "M" || length.unit == "Y" else {
        let days = (last.length?.count ?? 30) * (last.length?.unit == "W" ? 7 : 1)
        return Days.seconds(end) + number * days * 86_400 <= Days.seconds(asOf)
      }
      let added = number * length.count * (length.unit == "Y" ? 12 : 1)
      let month =
        (Int(end.prefix(4)) ?? 0) * 12 + (Int(end.dropFirst(5).prefix(2)) ?? 0) - 1 + added
      let text = "\(month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)\(end.dropFirst(7))"
      return text <= asOf
    }
    while isDue(due) { due += 1 }
    return due
  }

  private func life(_ first: [Purchase]) -> Life? {
    guard
      let last = first.max(by: {
        ($0.expiresAt ?? "", $0.paidNumber ?? 0) < ($1.expiresAt ?? "", $1.paidNumber ?? 0)
      }), let end = last.expiresAt
    else { return nil }
    return Life(
      periods: first.count, possible: first.count + periodsDue(after: last),
      isOver: isSixtyDaysOld(end),
      isUnseen: unseen.contains {
        $0.purchase.chain == last.chain && $0.purchase.product == last.product
          && end.hasPrefix($0.from)
      })
  }

  var retention: Answer {
    /// The lives by product, month and storefront.
    var lives: [[String]: [String: [Life]]] = [:]
    var longest: [[String]: Int] = [:]
    for chain in chains {
      let payable = chain.filter {
        $0.isSubscription && $0.paidNumber != nil && $0.expiresAt != nil
      }
      for (product, periods) in Dictionary(grouping: payable, by: { [$0.app, $0.product] }) {
        let spells = Dictionary(grouping: periods) { $0.spell ?? 0 }
        longest[product] = max(longest[product] ?? 0, spells.values.map(\.count).max() ?? 0)
        guard let first = spells.min(by: { $0.key < $1.key })?.value, let life = life(first),
          let began = first.min(by: { ($0.paidNumber ?? 0) < ($1.paidNumber ?? 0) })
        else { continue }
        lives[product + [began.month], default: [:]][began.storefront ?? "", default: []]
          .append(life)
      }
    }
    var answer: Answer = [:]
    for (cohort, places) in lives {
      for number in 1...(longest[Array(cohort.prefix(2))] ?? 1) {
        func couldReach(_ life: Life) -> Bool {
          life.periods >= number || life.possible >= number && !life.isUnseen
        }
        let open = places.values.filter { $0.contains(where: couldReach) }
        let all = open.flatMap(\.self)
        guard !all.isEmpty else { continue }
        let reached = all.count { $0.periods >= number }
        func isComplete(_ place: [Life]) -> Bool {
          let hidden = place.count { $0.periods < number && $0.isUnseen }
          return place.allSatisfy { $0.periods >= number || $0.isOver || $0.isUnseen }
            && place.count(where: couldReach) + hidden == place.count
            && 100 * hidden <= place.count
        }
        answer["\(cohort.joined(separator: "|"))|\(number)"] = [
          "subscriptions": Self.count(all.count), "retained": Self.count(reached),
          "could_reach": Self.count(all.count(where: couldReach)),
          "percent": Self.percent(reached, of: all.count(where: couldReach)),
          "is_complete": Self.flag(
            open.count == places.count && open.allSatisfy(isComplete)
              && self.isComplete(month: cohort[2])),
        ]
      }
    }
    return answer
  }
}
