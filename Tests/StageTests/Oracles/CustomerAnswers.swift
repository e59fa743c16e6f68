/// Answers 5, 6, 8 and 10: customers, kinds of revenue, and countries.
extension AnswersOracle {
  // MARK: 5

  var lifetimeValue: Answer {
    var answer: Answer = [:]
    let customers = Dictionary(grouping: purchases, by: \.customer).values
    for (cohort, all) in Dictionary(grouping: customers, by: { $0.map(\.month).min() ?? "" }) {
      for (since, month) in months.filter({ $0.name >= cohort }).enumerated() {
        let lives = all.map { life in life.filter { $0.month <= month.name } }
        let rows = lives.flatMap(\.self)
        let open = rows.filter { $0.paid == nil && $0.refundMonth ?? "9999" > month.name }
        let kept = rows.reduce(0) { $0 + $1.kept(by: month.name) }
        let payers = lives.count { $0.contains { $0.paid ?? 0 > 0 } }
        let possible = lives.count { $0.contains { $0.paid != 0 } }
        answer["\(cohort)|\(since)"] = [
          "customers": Self.count(all.count), "payers": Self.count(payers),
          "ltv_per_customer": Self.each(kept, of: all.count),
          "ltv_per_payer": Self.each(kept, of: payers),
          "payer_at_least": Self.each(
            open.reduce(kept) { $0 + ($1.low ?? 0) }, of: possible),
          "payer_at_most": Self.each(open.reduce(kept) { $0 + ($1.high ?? 0) }, of: payers),
          "unresolved": Self.count(rows.count { $0.paid == nil }),
          "without_limit": Self.count(
            rows.count {
              $0.high == nil && (!$0.isRefunded || $0.refundMonth ?? "" > month.name)
            }),
          "is_complete": Self.flag(isComplete(month: month.name)),
        ]
      }
    }
    return answer
  }

  // MARK: 6

  var customerRevenue: Answer {
    var answer: Answer = [:]
    for month in months {
      let bought = purchases.filter { $0.month == month.name }
      guard !bought.isEmpty else { continue }
      let active = purchases.filter { one in
        one.day <= month.last && (one.accessEndsAt == nil ? one.day : one.lastDay) >= month.first
      }
      let customers = Set(active.map(\.customer)).count
      let payers = Set(bought.filter { $0.paid ?? 0 > 0 }.map(\.customer)).count
      let everybody = visitors.filter { (($0.text("date_day") ?? "").prefix(7)) <= month.name }
        .reduce(0) { $0 + ($1.number("customers") ?? 0) }
      let net = sumOfKnown(bought.map(\.knownKept))
      answer[month.name] = [
        "customers": Self.count(customers), "payers": Self.count(payers),
        "unresolved": Self.count(bought.count { $0.paid == nil }),
        "arpu": Self.each(net, of: customers), "arppu": Self.each(net, of: payers),
        "all_customers": Self.count(everybody), "arpu_of_all": Self.each(net, of: everybody),
      ]
    }
    return answer
  }

  /// The second query of answer 6.
  var payingShare: Answer {
    Dictionary(grouping: visitors) { String(($0.text("date_day") ?? "").prefix(7)) }
      .mapValues { days in
        func total(_ column: String) -> Int { days.reduce(0) { $0 + ($1.number(column) ?? 0) } }
        return [
          "customers": Self.count(total("customers")),
          "tried": Self.count(total("trial_customers")),
          "paid": Self.count(total("payers")),
          "paid_at_most": Self.count(total("possible_payers")),
          "percent_paying": Self.percent(total("payers"), of: total("customers")),
        ]
      }
  }

  // MARK: 8

  var revenueByKind: Answer {
    var kinds: [Int: String] = [:]
    for chain in chains {
      var paidBefore: Set<Int> = []
      for one in chain.sorted(by: { ($0.paidNumber ?? 0) < ($1.paidNumber ?? 0) }) {
        guard one.isSubscription else {
          kinds[one.key] = "one_time"
          continue
        }
        guard one.paidNumber != nil else { continue }
        let spell = one.spell ?? 0
        kinds[one.key] =
          paidBefore.isEmpty ? "new" : paidBefore.contains(spell) ? "renewal" : "reactivation"
        paidBefore.insert(spell)
      }
    }
    return Dictionary(grouping: purchases, by: \.month).mapValues { rows in
      var figures = [
        "chargeable": Self.count(rows.count { $0.paid != 0 }),
        "unresolved": Self.count(rows.count { $0.paid == nil }),
        "without_limit": Self.count(rows.count { $0.high == nil }),
        "is_complete": Self.flag(rows.allSatisfy { completeness.days.contains($0.day) }),
      ]
      for kind in ["new", "renewal", "reactivation", "one_time"] {
        let own = rows.filter { kinds[$0.key] == kind }
        figures[kind] = Self.money(own.reduce(0) { $0 + ($1.micros ?? 0) })
        figures["\(kind)_at_most"] = Self.money(own.reduce(0) { $0 + ($1.high ?? 0) })
      }
      return figures
    }
  }

  // MARK: 10

  var countries: Answer {
    Dictionary(grouping: purchases) { $0.storefront ?? "unknown" }.mapValues { rows in
      let paid = rows.filter { $0.paid ?? 0 > 0 }
      let refundable = paid.filter(\.keepsRefunds)
      return [
        "customers": Self.count(Set(rows.map(\.customer)).count),
        "paid_purchases": Self.count(paid.count),
        "gross": Self.money(sumOfKnown(rows.map(\.micros))),
        "net": Self.money(sumOfKnown(rows.map(\.knownKept))),
        "at_least": Self.money(rows.reduce(0) { $0 + ($1.low ?? 0) }),
        "at_most": Self.money(rows.reduce(0) { $0 + ($1.high ?? 0) }),
        "refunded_percent": Self.percent(
          refundable.count(where: \.isRefunded), of: refundable.count),
        "without_rate": Self.count(rows.count { $0.paid != nil && $0.micros == nil }),
        "unresolved": Self.count(rows.count { $0.paid == nil }),
        "without_limit": Self.count(rows.count { $0.high == nil }),
      ]
    }
  }
}
