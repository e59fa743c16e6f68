/// Answers 7, 9, 11 and 12: trials, prices, campaigns, and subscriptions that come back.
extension AnswersOracle {
  // MARK: 7

  var trials: Answer {
    let chains = Set(unseen.map(\.purchase.chain))
    return Dictionary(grouping: conversions.filter { $0.text("offer_kind") == "trial" }) { row in
      let place = ["bundle_id", "offer_product_id", "storefront"].map { cell(row.text($0)) }
      return ([String(cell(row.text("started_date")).prefix(7))] + place).joined(separator: "|")
    }.mapValues { rows in
      let mature = rows.filter { $0.number("is_mature") == 1 }
      let converted = mature.count { $0.text("status") == "converted" }
      return [
        "trials": Self.count(rows.count), "mature": Self.count(mature.count),
        "not_seen": Self.count(
          rows.count {
            $0.text("status") == "pending"
              && chains.contains(cell($0.text("original_transaction_id")))
          }), "converted": Self.count(converted),
        "percent": Self.percent(converted, of: mature.count),
      ]
    }
  }

  // MARK: 9

  var priceRises: Answer {
    let regular = prices.filter { $0.text("price_kind") == "regular" }
    let unseenKeys = Set(unseen.map(\.purchase.key))
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
        one.expiresAt.map { Days.text($0, adding: 60) < asOf.prefix(10) } ?? false
          && !unseenKeys.contains(one.key)
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
      var daysAway: Int
    }
    var found: [String: [Return]] = [:]
    for chain in chains {
      for (before, after) in zip(chain, chain.dropFirst()) {
        guard let spell = after.spell, let former = before.spell, former < spell else { continue }
        let ended = chain.filter { $0.spell == former }.compactMap(\.accessEndsAt).max() ?? ""
        let days = (Days.seconds(after.day) - Days.seconds(String(ended.prefix(10)))) / 86_400
        let offer =
          after.offer ?? (after.periodKind == "regular" ? "regular price" : after.periodKind)
        found["\(after.month)|\(after.app)|\(after.product)|\(offer)", default: []]
          .append(Return(purchase: after, daysAway: days))
      }
    }
    return found.mapValues { all in
      [
        "reactivated": Self.count(all.count),
        "days_away": Figure(
          value: Double(all.reduce(0) { $0 + $1.daysAway }) / Double(all.count), decimals: 0),
        "paid_at_return": Self.money(sumOfKnown(all.map(\.purchase.micros))),
        "unresolved": Self.count(all.count { $0.purchase.paid == nil }),
      ]
    }
  }
}
