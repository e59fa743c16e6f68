internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SignedTransactions

/// Finds the keys of an export's values, from the paths of the values in its first records.
///
/// Example: `{"user":{"id":"u-1"},"payload":{"apple":{"status":0,…}}}` → receipts with the keys
/// `{customer_id: user.id, response: payload.apple}`.
enum KeySearch {
  /// The columns of a table, or the paths of the values in the first record of another file.
  static func columns(_ path: String) throws(RunFailure) -> [String] {
    guard let ownMapping else { return [] }
    return try RecognizedInput.preview(path, .prices, ownMapping, records: 1)?.paths ?? []
  }

  /// The mapping of Paidline's own form of price reports.
  private static let ownMapping = (try? PriceLayout(format: nil)).map {
    FieldMapping(layout: $0, namesUnit: false)
  }

  /// The object with a key for each record that a file is; `nil` for other files.
  static func recordMap(_ path: String) throws(RunFailure) -> RecordMap? {
    guard let ownMapping else { return nil }
    return recordMap(try RecognizedInput.preview(path, .prices, ownMapping, records: 2))
  }

  /// Finds the paths at which the value of a key may be, the most likely path first.
  static func places(of key: String, among paths: [String]) -> [String] {
    let names = KeyNames.all[key] ?? []
    let ranked = paths.compactMap { path -> (rank: Int, path: String)? in
      let words = path.split(separator: ".").map { word in
        word.lowercased().filter { $0.isLetter || $0.isNumber }
      }
      var end = words.count
      while end > 1, KeyNames.types.contains(words[end - 1]),
        names.contains(words[end - 2]) || KeyNames.types.contains(words[end - 2])
      {
        end -= 1
      }
      guard end > 0, !path.contains("[]") else { return nil }
      let last = words[end - 1]
      if let rank = names.firstIndex(of: last) { return (rank, path) }
      if key == "storefront", last.hasPrefix("country"), last != "countrysource" {
        return (names.count, path)
      }
      if key == "product_id", last == "id", words.count > 1,
        ["product", "sku", "plan"].contains(words[words.count - 2])
      {
        return (names.count, path)
      }
      if key == "platform", words.count > 1,
        let rank = [["os", "name"], ["device", "type"]].firstIndex(of: Array(words.suffix(2)))
      {
        return (names.count + rank, path)
      }
      // `user.id`, `customer.id`.
      guard key == "customer_id", last == "id" || last == "objectid", words.count > 1,
        ["user", "customer", "account", "member"].contains(words[words.count - 2])
      else { return nil }
      return (names.count, path)
    }
    return ranked.sorted { ($0.rank, $0.path.count) < ($1.rank, $1.path.count) }.map(\.path)
  }

  // MARK: Receipts

  /// Recognizes an export with responses of verifyReceipt, and finds its keys.
  static func receipts(_ path: String) throws(RunFailure) -> RecognizedInput? {
    func isReceipts(_ content: ExportContent) -> Bool {
      content.tally.used * 2 > content.tally.records
        && (!content.set.observations.isEmpty || content.notices.sandboxReceipts > 0
          || isOfNobody(content))
    }
    let plain = try RecognizedInput.preview(path, .receipts, .standard)
    let isPlain = plain.map(isReceipts) ?? false
    let paths = plain?.paths ?? []
    let country = storefront(plain, paths)
    if isPlain, namesCustomer(plain) {
      let keys = keys([("storefront", country)])
      if let layout = try? RecordLayout(kind: .receipts, keys: keys), !keys.isEmpty,
        let content = try RecognizedInput.preview(path, .receipts, FieldMapping(records: layout)),
        isReceipts(content), namesCustomer(content), namesStorefront(content)
      {
        return input(path, .receipts, "receipts", keys)
      }
      return RecognizedInput(path: path, kind: .receipts, settings: "", words: "receipts")
    }
    if let map = RecordMap(of: plain?.answers ?? [], among: paths) {
      // On a line of several, two responses of one customer may stand.
      var isMap = plain?.tally.records == 1
      if !isMap, places(of: "customer_id", among: paths).isEmpty { isMap = try signed(path) == nil }
      if isMap { return RecognizedInput(path: path, kind: nil, settings: "", words: map.words) }
    }
    // The keys of a map are no columns.
    let columns = recordMap(plain) == nil ? paths : []
    let customers = places(of: "customer_id", among: columns).map(Optional.some) + [nil]
    let time = places(of: "received_at", among: paths).first
    if isPlain, isResponseItself(columns) {
      for customer in customers where customer != nil {
        let keys = keys([
          ("customer_id", customer), ("received_at", time), ("storefront", country),
        ])
        guard let layout = try? RecordLayout(kind: .receipts, keys: keys),
          let content = try RecognizedInput.preview(path, .receipts, FieldMapping(records: layout)),
          isReceipts(content), namesCustomer(content)
        else { continue }
        return input(path, .receipts, "receipts", keys)
      }
    }
    let within = isPlain ? [] : objects(try Self.columns(path))
    for answer in answers(columns) + within {
      for customer in customers {
        let storefront = country.flatMap { $0.hasPrefix(answer + ".") ? nil : $0 }
        let keys = keys([
          ("customer_id", customer), ("received_at", time), ("storefront", storefront),
          ("response", answer),
        ])
        guard let layout = try? RecordLayout(kind: .receipts, keys: keys),
          let content = try RecognizedInput.preview(path, .receipts, FieldMapping(records: layout)),
          isReceipts(content),
          customer == nil ? !isPlain : namesCustomer(content) || content.set.records.isEmpty
        else { continue }
        return input(path, .receipts, "receipts", keys)
      }
    }
    if isPlain {
      return RecognizedInput(
        path: path, kind: .receipts, settings: "", words: "receipts without a customer id")
    }
    if let plain, plain.tally.used == 0,
      plain.rejects.contains(where: { $0.reason == .impossiblePeriod })
    {
      return RecognizedInput(
        path: path, kind: nil, settings: "",
        words: "a response whose rows cover more time than Apple sells, as forged receipts do; "
          + "it is left out")
    }
    if let list = listOfRecords(paths) {
      return RecognizedInput(
        path: path, kind: nil, settings: "",
        words: "one object with a list of records; write one record per line, for example with "
          + "jq -c '\(list)'")
    }
    return nil
  }

  /// Whether the records have lists of a response among their own values, as split columns.
  private static func isResponseItself(_ paths: [String]) -> Bool {
    let lists = RecordLayout.listNames
    return paths.contains { lists.contains(String($0.prefix { $0 != "[" && $0 != "." })) }
  }

  /// Whether records are responses with Apple's lists of rows, all empty: nobody bought anything.
  private static func isOfNobody(_ content: ExportContent) -> Bool {
    content.tally.rejected == 0 && content.tally.used > 0
      && content.paths.contains { path in
        path.hasSuffix("in_app[]") || path.hasSuffix("latest_receipt_info[]")
      }
  }

  /// Finds the paths at which Apple's response may be, the most likely path first.
  ///
  /// The paths of objects that have members of a response, such as `in_app`, are first. The paths
  /// of texts with a usual name, such as `response`, follow.
  private static func answers(_ paths: [String]) -> [String] {
    objects(paths) + places(of: "response", among: paths)
      + others(than: places(of: "response", among: paths), among: paths)
  }

  /// The other values that may be a response as text, whatever their names are.
  private static func others(than named: [String], among paths: [String]) -> [String] {
    Array(paths.filter { !named.contains($0) && !$0.contains("[]") }.prefix(40))
  }

  /// The path of the storefront, unless it has a standard name, which is read without a key.
  private static func storefront(_ content: ExportContent?, _ paths: [String]) -> String? {
    guard !namesStorefront(content) else { return nil }
    return places(of: "storefront", among: paths).first {
      !["storefront", "store_country", "storeCountry"].contains($0)
    }
  }

  private static func namesStorefront(_ content: ExportContent?) -> Bool {
    content?.set.records.contains { $0.storefront != nil } ?? false
  }

  /// The path, as jq writes it, of a list whose elements have a response each.
  ///
  /// Example: the answer of a GraphQL server, `{"data":{"receipts":[{"apple":{…}},…]}}` →
  /// `.data.receipts[]`.
  private static func listOfRecords(_ paths: [String]) -> String? {
    for path in paths {
      let words = path.split(separator: ".")
      guard let list = words.firstIndex(where: { $0.hasSuffix("[]") }),
        words[(list + 1)...].contains(where: { ["latest_receipt_info[]", "in_app[]"].contains($0) })
      else { continue }
      return "." + words[...list].joined(separator: ".")
    }
    return nil
  }

  /// The object with a key for each record that a file is; `nil` for other content.
  static func recordMap(_ content: ExportContent?) -> RecordMap? {
    guard let content, content.tally.records == 1 else { return nil }
    return RecordMap(among: content.paths)
  }

  /// Finds the paths of objects that have members of a response, such as `in_app`.
  private static func objects(_ paths: [String]) -> [String] {
    var answers: [String] = []
    for path in paths {
      let words = path.split(separator: ".")
      let names = words.map { $0.prefix { $0 != "[" } }
      // The response itself may be under the key `receipt`.
      let end =
        names.firstIndex(of: "latest_receipt_info") ?? names.lastIndex(of: "receipt")
        ?? names.firstIndex(of: "in_app")
      guard let end, end > 0 else { continue }
      let answer = words[..<end].joined(separator: ".")
      if !answers.contains(answer) { answers.append(answer) }
    }
    return answers
  }

  // MARK: Signed transactions

  /// Recognizes an export with signed transactions or their decoded payloads, and finds its keys.
  static func signed(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let plain = try preview(path, nil)
    let count = tokens(plain)
    if count > 0, namesCustomer(plain) {
      return RecognizedInput(
        path: path, kind: .signed, settings: "", words: "signed transactions")
    }
    let paths = recordMap(plain) == nil ? plain?.paths ?? [] : []
    let customers = places(of: "customer_id", among: paths)
    let time = places(of: "received_at", among: paths).first
    var best: (score: (Int, Int), keys: Keys)?
    // Without a place the record is the transaction itself.
    let places = containers(paths).filter { !customers.contains($0) }.map(Optional.some) + [nil]
    for place in places {
      for customer in customers.map(Optional.some) + [nil] {
        let keys = keys([("customer_id", customer), ("received_at", time), ("signed", place)])
        guard let layout = try? RecordLayout(kind: .signed, keys: keys),
          let content = try preview(path, layout)
        else { continue }
        let score = (tokens(content), customer != nil && namesCustomer(content) ? 1 : 0)
        if score > best?.score ?? (count, 0) { best = (score, keys) }
      }
    }
    if let best { return input(path, .signed, "signed transactions", best.keys) }
    guard count > 0 else { return nil }
    return RecognizedInput(path: path, kind: .signed, settings: "", words: "signed transactions")
  }

  static func preview(_ path: String, _ layout: RecordLayout?) throws(RunFailure)
    -> ExportContent?
  {
    let policy = SignaturePolicy(signatures: .trust, bundleIDs: [])
    return try RecognizedInput.preview(
      path, .signed,
      FieldMapping(signed: SignedInputs(policy: policy, roots: .apple), recordLayout: layout))
  }

  private static func tokens(_ content: ExportContent?) -> Int {
    content.map { $0.tally.tokens.trusted + $0.tally.tokens.unsigned } ?? 0
  }

  /// Finds the paths of objects in a record that may contain a transaction, at most two levels
  /// deep.
  ///
  /// Example: `data.signed.x` → `data` and `data.signed`.
  private static func containers(_ paths: [String]) -> [String] {
    var places: [String] = []
    for path in paths {
      let words = path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
      for depth in 1...2 where depth <= words.count {
        let place = words[..<depth].joined(separator: ".")
        if !places.contains(place) { places.append(place) }
      }
    }
    return Array(places.prefix(40))
  }

  // MARK: Keys

  typealias Keys = [(key: String, paths: [String])]

  static func keys(_ found: [(String, String?)]) -> Keys {
    found.compactMap { key, path in path.map { (key: key, paths: [$0]) } }
  }

  private static func namesCustomer(_ content: ExportContent?) -> Bool {
    content?.set.records.contains { $0.customer != nil } ?? false
  }

  static func input(
    _ path: String, _ kind: InputFile.Kind, _ words: String, _ keys: Keys
  ) -> RecognizedInput {
    let entries = keys.map { key, paths in
      let text = paths.map(yaml).joined(separator: ", ")
      return "\(key): \(paths.count == 1 ? text : "[\(text)]")"
    }
    let text = "{\(entries.joined(separator: ", "))}"
    return RecognizedInput(
      path: path, kind: kind, settings: "keys: \(text)", words: "\(words), with keys \(text)")
  }

  /// Returns a path in a form that YAML reads without change.
  ///
  /// The path is quoted if it has characters other than letters, digits, `_` and `.`.
  static func yaml(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."): true
      default: false
      }
    }
    guard !isPlain else { return path }
    return RecognizedInput.quoted(path)
  }
}
