/// Conversions and the cost of offers, computed a second time.
extension ViewOracle {
  /// The rows of `trial_conversion` or `intro_conversion`.
  func conversion(of kind: String) -> [String] {
    groups(
      conversions.filter { $0.text("offer_kind") == kind },
      ["started_date", "bundle_id", "offer_product_id", "storefront"]
    ).map { key, rows in
      let converted = rows.filter { $0.text("status") == "converted" }
      func status(_ name: String) -> String { cell(count(rows) { $0.text("status") == name }) }
      return line(
        key[0], key[1], key[2], key[3], cell(rows.count), cell(sum(rows, "is_mature")),
        cell(count(converted) { $0.number("is_same_product") == 1 }),
        cell(count(converted) { $0.number("is_contiguous") == 1 }), cell(converted.count),
        cell(sum(converted, "is_mature")),
        cell(count(converted) { $0.text("conversion_refunded_at") != nil }), status("pending"),
        status("billing_retry"), status("lapsed"), cell(count(rows, isUnseen)),
        cell(areDecided(rows)))
    }
  }

  /// Whether nobody has looked at the subscription of an undecided offer since it ended.
  private func isUnseen(_ offer: FactRow) -> Bool {
    offer.text("status") == "pending"
      && subscriptions.contains {
        $0.text("original_transaction_id") == offer.text("original_transaction_id")
          && $0.text("seen_through_at") != nil
      }
  }

  /// Whether the exports cover the starts of offers, their time to convert is over, and at most one
  /// of a hundred is undecided.
  private func areDecided(_ offers: [FactRow]) -> Bool {
    offers.allSatisfy {
      cell($0.text("started_date")) <= completeThrough ?? "" && cell($0.text("matures_at")) <= asOf
    } && 100 * count(offers) { $0.number("is_mature") == 0 } <= offers.count
  }

  /// The last name, in alphabetical order, among the names of some offers.
  private func offerName(_ offers: [FactRow]) -> String? {
    let names = Dictionary(
      uniqueKeysWithValues: revenue.map { ($0.number("purchase_key"), $0.text("offer_name")) })
    return offers.compactMap { names[$0.number("offer_purchase_key")] ?? nil }.max()
  }

  /// The rows of each offer in their order, keyed by the first row; their number is in
  /// `fct_conversion`.
  private var offerRows: [Int: [FactRow]] {
    let lengths = Dictionary(
      uniqueKeysWithValues: conversions.map {
        ($0.number("offer_purchase_key") ?? 0, $0.number("offer_periods") ?? 0)
      })
    var rows: [Int: [FactRow]] = [:]
    for chain in Dictionary(grouping: revenue, by: { $0.text("original_transaction_id") }).values {
      let ordered = chain.sorted {
        let (left, right) = ($0.text("expires_at") ?? "", $1.text("expires_at") ?? "")
        return (cell($0.text("purchased_at")), left, $0.number("purchase_key") ?? 0)
          < (cell($1.text("purchased_at")), right, $1.number("purchase_key") ?? 0)
      }
      for (index, row) in ordered.enumerated() {
        let key = row.number("purchase_key") ?? 0
        if let length = lengths[key] { rows[key] = Array(ordered[index...].prefix(length)) }
      }
    }
    return rows
  }

  /// The sums and bounds of some offers and their conversions in the reporting currency.
  private func money(
    _ offers: [FactRow], _ offerRows: [Int: [FactRow]], _ rowOf: [Int?: FactRow]
  ) -> [String] {
    let own = offers.map { offerRows[$0.number("offer_purchase_key") ?? 0] ?? [] }
    let converting = offers.compactMap { offer in
      offer.number("converted_purchase_key").flatMap { rowOf[$0] }
    }
    let known = zip(offers, own).filter { $0.0.number("offer_paid_milli") != nil }.map(\.1)
    let whole = known.filter { rows in
      rows.allSatisfy { $0.number("paid_reporting_micros") != nil }
    }
    func isOpen(_ row: FactRow) -> Bool { row.number("paid_high_reporting_micros") == nil }
    func isEstimated(_ row: FactRow) -> Bool { row.number("is_high_estimated") == 1 }
    return [
      cell(reportingCurrency), reporting(sum(whole.flatMap(\.self), "paid_reporting_micros")),
      reporting(sum(own.flatMap(\.self), "paid_low_reporting_micros")),
      reporting(sum(own.flatMap(\.self), "paid_high_reporting_micros")),
      reporting(sum(converting, "paid_reporting_micros")),
      reporting(sum(converting, "paid_low_reporting_micros")),
      reporting(sum(converting, "paid_high_reporting_micros")),
      cell(known.count - whole.count + unconverted(converting)),
      reporting(own.count { $0.contains(where: isOpen) } + count(converting, isOpen)),
      cell(own.count { $0.contains(where: isEstimated) } + count(converting, isEstimated)),
    ]
  }

  var offerPerformance: [String] {
    let (offerRows, rowOf) = (
      offerRows, Dictionary(uniqueKeysWithValues: revenue.map { ($0.number("purchase_key"), $0) })
    )
    return groups(
      conversions,
      [
        "offer_kind", "offer_id", "bundle_id", "offer_product_id", "payment_mode", "storefront",
        "currency",
      ]
    ).map { key, rows in
      let converted = rows.filter { $0.text("status") == "converted" }
      let unknown =
        count(rows) { $0.number("offer_paid_milli") == nil }
        + count(converted) { $0.number("converted_paid_milli") == nil }
      let mature = sum(rows, "is_mature")
      let columns = line(
        key[0], key[1], cell(offerName(rows)), key[2], key[3], key[4], key[5], key[6],
        cell(rows.count),
        cell(mature), cell(converted.count),
        cell(count(converted) { $0.number("is_same_product") == 1 }),
        cell(count(converted) { $0.text("conversion_refunded_at") != nil }),
        cell(count(rows) { ["pending", "billing_retry"].contains($0.text("status")) }),
        cell(count(rows) { $0.text("status") == "lapsed" }),
        cell(sum(rows, "offer_paid_milli")), cell(sum(rows, "converted_paid_milli")),
        cell(unknown), cell(sum(converted, "is_mature")),
        cell(mature == 0 ? nil : 10_000 * sum(converted, "is_mature") / mature),
        cell(count(rows, isUnseen)), cell(areDecided(rows)))
      return ([columns] + money(rows, offerRows, rowOf)).joined(separator: "|")
    }
  }
}
