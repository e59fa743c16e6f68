/// Answers 7, 9, 11 and 12: trials, prices, campaigns, and subscriptions that come back.
extension AnswersOracle {
  // MARK: 7

  var trials: Answer {
    struct Sums {
      var trials = 0
      var toSame = 0
      var toAny = 0
    }
    let all = conversions.filter { $0.text("offer_kind") == "trial" }
    let days = Dictionary(grouping: all) { row in
      ["started_date", "bundle_id", "offer_product_id", "storefront"].map { cell(row.text($0)) }
    }
    var sums: [String: Sums] = [:]
    for (place, rows) in days where rows.allSatisfy({ $0.number("is_mature") == 1 }) {
      let key = "\(place[0].prefix(7))|\(place[1])|\(place[2])|\(place[3])"
      let converted = rows.filter { $0.text("status") == "converted" }
      sums[key, default: Sums()].trials += rows.count
      sums[key]?.toSame += converted.count { $0.number("is_same_product") == 1 }
      sums[key]?.toAny += converted.count
    }
    return sums.mapValues { sums in
      [
        "trials": Self.count(sums.trials), "mature": Self.count(sums.trials),
        "to_the_same_product": Self.count(sums.toSame), "to_any_product": Self.count(sums.toAny),
        "percent": Self.percent(sums.toSame, of: sums.trials),
      ]
    }
  }

  // MARK: 9

  var priceRises: Answer {
    let regular = prices.filter { $0.text("price_kind") == "regular" }
    /// Product and storefront of each price list that only one country has.
    let apart = Set(
      regular.map { row in
        ["bundle_id", "product_id", "currency", "storefront"].map { cell(row.text($0)) }
      })
    var answer: Answer = [:]
    for price in regular {
      let list = ["bundle_id", "product_id", "currency"].map { cell(price.text($0)) }
      let storefront = price.text("storefront") ?? ""
      let milli = price.number("price_milli") ?? 0
      let rows = purchases.filter { one in
        guard one.periodKind == "regular", [one.bundle, one.product, one.currency ?? ""] == list,
          one.purchasedAt >= price.text("valid_from") ?? "",
          one.purchasedAt < price.text("valid_to") ?? "9999"
        else { return false }
        let hasOwn = one.storefront.map { apart.contains(list + [$0]) } ?? false
        return hasOwn ? one.storefront == storefront : storefront.isEmpty
      }
      guard !rows.isEmpty else { continue }
      let ended = rows.filter { one in
        one.expiresAt.map { Days.seconds($0) + 60 * 86_400 < Days.seconds(asOf) } ?? false
      }
      let renewed = ended.filter { one in
        purchases.contains {
          $0.chain == one.chain && $0.paidNumber == (one.paidNumber ?? 0) + 1
            && $0.spell == one.spell && $0.product == one.product
        }
      }
      let paid = rows.filter { $0.paid != nil }
      let key = list + [storefront, cell(price.text("valid_from"))]
      answer[key.joined(separator: "|")] = [
        "price": Figure(value: Double(milli) / 1000), "periods": Self.count(rows.count),
        "at_this_price": Self.count(
          paid.isEmpty ? nil : paid.count { $0.paid == milli * $0.quantity }),
        "below_it": Self.count(
          paid.isEmpty ? nil : paid.count { $0.paid ?? 0 < milli * $0.quantity }),
        "could_renew": Self.count(ended.count),
        "renewed_percent": Self.percent(renewed.count, of: ended.count),
      ]
    }
    return answer
  }

  // MARK: 11

  var campaigns: Answer {
    let purchase = Dictionary(uniqueKeysWithValues: purchases.map { ($0.key, $0) })
    let taken = Dictionary(grouping: conversions) { row in
      let name = purchase[row.number("offer_purchase_key") ?? 0]?.offer ?? "introductory"
      return [
        cell(row.text("offer_kind")), name, cell(row.text("bundle_id")),
        cell(row.text("offer_product_id")),
      ].joined(separator: "|")
    }
    let chain = Dictionary(grouping: purchases, by: \.chain)
    return taken.mapValues { rows in
      let mature = rows.filter { $0.number("is_mature") == 1 }
      let converted = mature.count { $0.text("status") == "converted" }
      let since = rows.flatMap { row in
        (chain[row.text("original_transaction_id") ?? ""] ?? []).filter {
          $0.purchasedAt >= row.text("started_at") ?? ""
        }
      }
      return [
        "taken": Self.count(rows.count), "mature": Self.count(mature.count),
        "converted": Self.count(converted), "percent": Self.percent(converted, of: mature.count),
        "paid_since_each": Self.each(sumOfKnown(since.map(\.kept)), of: rows.count),
        "unresolved": Self.count(since.count { $0.paid == nil }),
      ]
    }
  }

  // MARK: 12

  var returns: Answer {
    struct Return {
      var purchase: Purchase
      var daysAway: Double
    }
    var found: [String: [Return]] = [:]
    for chain in chains {
      for (before, after) in zip(chain, chain.dropFirst()) {
        guard let spell = after.spell, let former = before.spell, former < spell else { continue }
        let ended = chain.filter { $0.spell == former }.compactMap(\.accessEndsAt).max() ?? ""
        let seconds = Days.seconds(after.purchasedAt) - Days.seconds(ended)
        let offer =
          after.offer ?? (after.periodKind == "regular" ? "regular price" : after.periodKind)
        found["\(after.month)|\(after.app)|\(after.product)|\(offer)", default: []]
          .append(Return(purchase: after, daysAway: Double(seconds) / 86_400))
      }
    }
    return found.mapValues { all in
      [
        "reactivated": Self.count(all.count),
        "days_away": Figure(
          value: all.reduce(0) { $0 + $1.daysAway } / Double(all.count), decimals: 0),
        "paid_at_return": Self.money(sumOfKnown(all.map(\.purchase.micros))),
        "unresolved": Self.count(all.count { $0.purchase.paid == nil }),
      ]
    }
  }
}
