internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Finds the keys of exports with price reports.
extension KeySearch {
  /// Recognizes an export of price reports whose format is not known, and finds its keys.
  static func prices(_ path: String) throws(RunFailure) -> RecognizedInput? {
    guard let own = try? PriceLayout(format: nil),
      let plain = try RecognizedInput.preview(
        path, .prices, FieldMapping(layout: own, namesUnit: false))
    else { return nil }
    let wanted = [
      "product_id", "price", "currency", "reported_at", "customer_id", "transaction_id",
      "storefront",
    ]
    func place(_ key: String) -> String? { places(of: key, among: plain.paths).first }
    let price = place("price").map { ($0.split(separator: ".").last ?? "").lowercased() } ?? ""
    let isLocal = price.contains("local") || price.contains("purchased")
    let found = wanted.map { key in
      (key, key == "currency" && isLocal ? place("local currency") : place(key))
    }
    // A column `store` may also mean something else than the platform.
    let isPlatform = place("platform").map { !$0.lowercased().hasSuffix("store") } ?? false
    for extra in [["platform", "environment"], ["platform"], ["environment"], []] {
      let keys = keys(found + extra.map { ($0, place($0)) })
      guard keys.count > 3, let layout = try? PriceLayout(format: nil, keys: keys),
        let content = try RecognizedInput.preview(
          path, .prices, FieldMapping(layout: layout, namesUnit: false)),
        !content.set.reports.isEmpty
          || isPlatform && extra.first == "platform" && content.notices.otherEvents > 0,
        content.tally.rejected == 0
      else { continue }
      return input(path, .prices, "prices", keys)
    }
    return nil
  }

  /// Finds the platform and environment of price reports in Paidline's own format.
  ///
  /// These values are read only under keys of the pipeline. Without them, prices of another store
  /// and of test purchases would be used. Example: records with `"platform":"ANDROID"` → `keys:
  /// {platform: platform}`.
  ///
  /// - Returns: The input with its keys; `nil` if the records have neither value, or if all would
  ///   be left out.
  static func ownPrices(_ path: String) throws(RunFailure) -> RecognizedInput? {
    guard let own = try? PriceLayout(format: nil),
      let plain = try RecognizedInput.preview(
        path, .prices, FieldMapping(layout: own, namesUnit: false))
    else { return nil }
    for names in [["platform", "environment"], ["platform"], ["environment"]] {
      let keys = keys(names.map { ($0, places(of: $0, among: plain.paths).first) })
      guard keys.count == names.count, let layout = try? PriceLayout(format: nil, keys: keys),
        let content = try RecognizedInput.preview(
          path, .prices, FieldMapping(layout: layout, namesUnit: false)),
        !content.set.reports.isEmpty
      else { continue }
      return input(path, .prices, "prices", keys)
    }
    return nil
  }
}
