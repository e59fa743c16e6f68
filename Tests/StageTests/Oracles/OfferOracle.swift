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
      let areMature = rows.allSatisfy { $0.number("is_mature") == 1 }
      return line(
        key[0], key[1], key[2], key[3], cell(rows.count), cell(sum(rows, "is_mature")),
        cell(count(converted) { $0.number("is_same_product") == 1 }),
        cell(count(converted) { $0.number("is_contiguous") == 1 }), cell(converted.count),
        cell(count(converted) { $0.text("conversion_refunded_at") != nil }), status("pending"),
        status("billing_retry"), status("lapsed"), cell(areMature && isComplete(key[0])))
    }
  }

  /// The last name, in alphabetical order, among the names of some offers.
  private func offerName(_ offers: [FactRow]) -> String? {
    let names = Dictionary(
      uniqueKeysWithValues: revenue.map { ($0.number("purchase_key"), $0.text("offer_name")) })
    return offers.compactMap { names[$0.number("offer_purchase_key")] ?? nil }.max()
  }

  var offerPerformance: [String] {
    groups(
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
      return line(
        key[0], key[1], cell(offerName(rows)), key[2], key[3], key[4], key[5], key[6],
        cell(rows.count),
        cell(sum(rows, "is_mature")), cell(converted.count),
        cell(count(converted) { $0.number("is_same_product") == 1 }),
        cell(count(converted) { $0.text("conversion_refunded_at") != nil }),
        cell(count(rows) { ["pending", "billing_retry"].contains($0.text("status")) }),
        cell(count(rows) { $0.text("status") == "lapsed" }),
        cell(sum(rows, "offer_paid_milli")), cell(sum(rows, "converted_paid_milli")),
        cell(unknown),
        cell(
          rows.allSatisfy { $0.number("is_mature") == 1 && isComplete($0.text("started_date")) }))
    }
  }
}
