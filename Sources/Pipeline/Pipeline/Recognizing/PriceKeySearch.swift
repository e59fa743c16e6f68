internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Finds the keys of exports with price reports.
extension KeySearch {
  /// Recognizes an export of price reports whose format is not known, and finds its keys.
  ///
  /// Apple's decoded transactions are not recognized as price reports, because their prices are in
  /// thousandths.
  static func prices(_ path: String) throws(RunFailure) -> RecognizedInput? {
    guard let paths = try ownPaths(path) else { return nil }
    if hasTransactions(paths) {
      return RecognizedInput(
        path: path, kind: nil, settings: "", words: try adviceOnTransactions(path))
    }
    // A dump may be one object with a list of records: `{"data":{"items":[…]}}`.
    let lists = paths.compactMap { path in
      path.firstRange(of: "[].").map { String(path[..<$0.upperBound]) }
    }
    for list in [""] + Set(lists).sorted() {
      for hasDecimalComma in [false, true] {
        let found = try prices(path, in: list, of: paths, hasDecimalComma: hasDecimalComma)
        if let found { return found }
      }
    }
    return try priceEvents(path)
  }

  /// What keeps decoded transactions from being read, and the remedy.
  private static func adviceOnTransactions(_ path: String) throws(RunFailure) -> String {
    let content = try preview(path, nil)
    if content?.isTable ?? false {
      return "decoded transactions in a table; write each as a JSON object, for example with "
        + "DuckDB: COPY (FROM read_csv('table.csv', all_varchar = true)) TO 'signed.ndjson' (FORMAT json), "
        + "and list the new file under inputs.signed (Docs/signed.md)"
    }
    if let reject = content?.rejects.first(where: { $0.reason == .tokenFieldInvalid }) {
      return "decoded transactions that cannot be read: line \(reject.line), \(reject.detail) "
        + "(Docs/signed.md)"
    }
    return "decoded transactions, but not in the form of Apple's payloads; write each as a JSON "
      + "object with Apple's names (Docs/signed.md)"
  }

  /// Recognizes price reports that are records, or the elements of a list such as `data.items[].`.
  private static func prices(
    _ path: String, in list: String, of paths: [String], hasDecimalComma: Bool
  ) throws(RunFailure) -> RecognizedInput? {
    let (found, unit) = values(in: list, among: paths)
    return try usable(
      path, found, in: list, among: paths, extras: Self.extras, unit: unit,
      hasDecimalComma: hasDecimalComma)
  }

  /// The additional keys that are tried one after the other.
  static let extras = [["platform", "environment"], ["platform"], ["environment"], []]

  /// Finds the paths of a price report's values, and the unit that the name of the price tells.
  static func values(in list: String, among paths: [String])
    -> (found: [(String, String?)], unit: PriceUnit?)
  {
    let wanted = [
      "product_id", "price", "currency", "reported_at", "customer_id", "transaction_id",
      "storefront",
    ]
    func place(_ key: String) -> String? { self.place(of: key, in: list, among: paths) }
    let unit = place("price") == nil ? PriceUnit.allCases.first { place($0.rawValue) != nil } : nil
    let price = place("price").map { ($0.split(separator: ".").last ?? "").lowercased() } ?? ""
    let isLocal = price.contains("local") || price.contains("purchased")
    let found = wanted.map { key in
      switch key {
      case "currency" where isLocal: (key, place("local currency"))
      case "price": (key, place(key) ?? unit.flatMap { place($0.rawValue) })
      default: (key, place(key))
      }
    }
    return (found, unit)
  }

  /// The likeliest path of a value in a record, or in the elements of a list; `nil` if there is
  /// none.
  static func place(of key: String, in list: String, among paths: [String]) -> String? {
    let inner = paths.filter { $0.hasPrefix(list) }.map { String($0.dropFirst(list.count)) }
    return places(of: key, among: inner).first.map { list + $0 }
  }

  /// Finds the platform and environment of price reports in Paidline's own format.
  ///
  /// A run reads these values only if the pipeline names their keys. Without the values, prices of
  /// other stores and of test purchases would be used.
  ///
  /// Example: records with `"platform":"ANDROID"` → `keys: {platform: platform}`.
  ///
  /// - Returns: The input with its keys; `nil` if the records have neither value.
  static func ownPrices(_ path: String) throws(RunFailure) -> RecognizedInput? {
    guard let paths = try ownPaths(path) else { return nil }
    return try usable(
      path, [], in: "", among: paths,
      extras: [["platform", "environment"], ["platform"], ["environment"]])
  }

  /// Recognizes an export with the payloads of a known format in a column, whatever its name is.
  ///
  /// Example: `received,raw_event` with a webhook of RevenueCat in each `raw_event` → the format
  /// `revenuecat_webhook` with `keys: {payload: raw_event}`.
  static func payload(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let paths = try columns(path)
    var names: [String] = []
    for path in paths where path.contains(".") && !path.contains("[]") {
      let name = String(path.prefix { $0 != "." })
      if !names.contains(name) { names.append(name) }
    }
    let time = places(of: "reported_at", among: paths).first
    let customer = places(of: "customer_id", among: paths).first
    var best: (score: Int, format: PriceFormat, keys: Keys)?
    let outside: [[(String, String?)]] = [[], [("reported_at", time), ("customer_id", customer)]]
    for name in names.prefix(30) where !propertyNames.contains(name) {
      for format in PriceFormat.all {
        for around in outside {
          let keys = keys([("payload", name)] + around)
          guard let layout = try? PriceLayout(format: format, keys: keys),
            let content = try RecognizedInput.preview(
              path, .prices, FieldMapping(layout: layout, namesUnit: true)),
            content.previews.contains(where: RecognizedInput.hasPrice)
          else { continue }
          let score = self.score(of: content)
          // Where the values are found without it, the object is no payload of the format.
          let others = Self.keys(around)
          let plain = try? PriceLayout(format: format, keys: others)
          if let plain,
            let read = try RecognizedInput.preview(
              path, .prices, FieldMapping(layout: plain, namesUnit: true)),
            self.score(of: read) >= score
          {
            continue
          }
          if score > best?.score ?? 999 { best = (score, format, keys) }
        }
      }
    }
    return best.map { best in
      var found = input(path, .prices, "prices, format \(best.format.name)", best.keys)
      found.settings = "format: \(best.format.name), \(found.settings)"
      return found
    }
  }

  /// The names under which analytics tools keep the members of an event, which are no payload.
  private static let propertyNames: Set<String> = [
    "event_properties", "user_properties", "properties", "context", "traits",
  ]

  /// The number of records that are read, and then the number of values.
  private static func score(of content: ExportContent) -> Int {
    1000 * (content.tally.used - content.tally.rejected)
      + content.previews.reduce(0) { $0 + $1.fields.count }
  }

  /// Finds the paths of the values in the first records; `nil` if the records cannot be read.
  private static func ownPaths(_ path: String) throws(RunFailure) -> [String]? {
    guard let own = try? PriceLayout(format: nil) else { return nil }
    return try RecognizedInput.preview(path, .prices, FieldMapping(layout: own, namesUnit: false))?
      .paths
  }

  /// Returns the input with the first set of `extras`, additional keys, that can be used.
  ///
  /// A set can be used if all its keys are found, and if the records then have price reports or a
  /// purchase in another store. Several sets are tried, because a column such as `store` may
  /// contain something other than the platform. Returns `nil` if no set can be used.
  private static func usable(
    _ path: String, _ found: [(String, String?)], in list: String, among paths: [String],
    extras: [[String]],
    unit: PriceUnit? = nil, hasDecimalComma: Bool = false
  ) throws(RunFailure) -> RecognizedInput? {
    for extra in extras {
      let added = extra.map { ($0, place(of: $0, in: list, among: paths)) }
      let keys = keys(found + added)
      guard added.allSatisfy({ $0.1 != nil }), keys.count > (found.isEmpty ? 0 : 2),
        let layout = try? PriceLayout(
          format: nil, keys: keys, unit: unit, hasDecimalComma: hasDecimalComma),
        let content = try RecognizedInput.preview(
          path, .prices, FieldMapping(layout: layout, namesUnit: unit != nil)),
        content.tally.rejected == 0 || found.isEmpty,
        !content.set.reports.isEmpty || isOfOtherStore(content.notices.firstOtherEvent)
      else { continue }
      if list.isEmpty, let events = try laterEvents(path, layout, unit) { return events }
      var input = input(path, .prices, "prices", keys)
      let settings =
        (unit.map { ", price_unit: \($0.rawValue)" } ?? "")
        + (hasDecimalComma ? ", decimal: \",\"" : "")
      input.settings += settings
      input.words += settings
      return input
    }
    return nil
  }

  /// Recognizes events with a price among others that begin later in the file.
  ///
  /// `nil` if the first two thousand records can be read with the layout, or have no such events.
  static func laterEvents(_ path: String, _ layout: PriceLayout, _ unit: PriceUnit?)
    throws(RunFailure) -> RecognizedInput?
  {
    let content = try RecognizedInput.preview(
      path, .prices, FieldMapping(layout: layout, namesUnit: unit != nil),
      records: RecognizedInput.manyRecords)
    guard let content, content.tally.rejected * 100 > content.tally.records else { return nil }
    return try priceEvents(path)
  }

  /// Returns true if a record is not used as a price report because it is from another store.
  ///
  /// `event` is the description of the record, such as `the platform PLAY_STORE`.
  private static func isOfOtherStore(_ event: String) -> Bool {
    let stores = ["android", "google", "play", "amazon", "stripe", "huawei", "samsung", "web"]
    let name = event.lowercased()
    return stores.contains { name.hasPrefix("the platform \($0)") }
  }

  /// What a run would say about the first record that has the columns of a price report.
  static func firstFault(_ path: String, _ columns: [String]) throws(RunFailure) -> String? {
    let (found, unit) = values(in: "", among: columns)
    var rejects: [Reject] = []
    for hasDecimalComma in [true, false] {
      guard
        let layout = try? PriceLayout(
          format: nil, keys: keys(found), unit: unit, hasDecimalComma: hasDecimalComma)
      else { continue }
      let content = try RecognizedInput.preview(
        path, .prices, FieldMapping(layout: layout, namesUnit: unit != nil))
      rejects = content?.rejects ?? rejects
      if rejects.contains(where: { $0.reason == .invalidUTF8 }) { break }
    }
    guard let reject = rejects.first(where: { $0.reason == .invalidUTF8 }) ?? rejects.first else {
      return nil
    }
    return "line \(reject.line) cannot be read: \(reject.reason.rawValue), \(reject.detail); "
      + reject.reason.advice
  }

  /// Returns true if records have values that only Apple's transactions have.
  private static func hasTransactions(_ paths: [String]) -> Bool {
    let names = Set(
      paths.compactMap { path in
        path.split(separator: ".").last?.lowercased().filter { $0.isLetter || $0.isNumber }
      })
    return !names.isDisjoint(with: [
      "signeddate", "inappownershiptype", "transactionreason", "weborderlineitemid",
    ])
  }
}
