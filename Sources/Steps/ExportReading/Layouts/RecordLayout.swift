public import CivilTime
public import PurchaseModel

/// The paths to the values of receipt records, or of records with signed transactions.
///
/// Example: `response: payload.apple` for `{"user":{"id":"c-1"},"payload":{"apple":"{…}"}}`.
public struct RecordLayout: Hashable, Sendable {
  /// A text that identifies the layout; empty for the default names.
  public let identity: String
  let table: PathTable
  /// The keys of the pipeline entry with their paths, as written.
  let named: [(key: String, paths: [String])]
  /// The standard name of each field.
  let names: [String]
  /// The index of the field with Apple's data, and the pipeline's paths to this data as a text.
  ///
  /// `nil` if the pipeline states no path to the data; then its default names are used.
  let content: (field: Int, paths: String)?
  /// The format of a hosted service's export; `nil` for receipts and signed records.
  let export: ServiceExport?
  /// Whether amounts are texts with a decimal comma.
  let hasDecimalComma: Bool
  /// The zone of times that name none; `nil` for UTC.
  let zone: TimeZoneRules?

  /// The standard keys of signed records for which a pipeline may state paths.
  public static let signedKeys = ["customer_id", "received_at", "signed"]

  /// The names that programs use for each standard key, the preferred name first.
  private static let fieldMappings = [
    "customer_id": ["customer_id", "customerId", "customerID", "app_user_id", "appUserId"],
    "received_at": ["received_at", "receivedAt", "received_at_ms", "receivedAtMs"],
    "storefront": ["storefront", "store_country", "storeCountry"],
    "price_report": ["price_report", "priceReport"], "response": ["response"],
    "environment": ["environment"], "is_sandbox": ["is_sandbox", "isSandbox", "sandbox"],
    "signed": ["signed", "signedTransactionInfo", "signedPayload", "data"],
  ]

  /// The fields that Apple's response has, too, so that they do not show a record around it.
  private static let ofResponse = ["environment", "is_sandbox"]

  /// Whether a field shows that an object is a record around Apple's data.
  func isAround(_ field: Int) -> Bool { export != nil || !Self.ofResponse.contains(names[field]) }

  /// The parts of a response that may be columns of a table, after the fields of a receipt record.
  static let parts: [(key: ReceiptKey, paths: [String])] = [
    (.latestReceiptInfo, columns("latest_receipt_info", "latestReceiptInfo")),
    (.latestExpiredReceiptInfo, columns("latest_expired_receipt_info", "latestExpiredReceiptInfo")),
    (.pendingRenewalInfo, columns("pending_renewal_info", "pendingRenewalInfo")),
    (.receipt, ["receipt_json", "receipt"]), (.status, ["status"]),
  ]

  /// The names of a column with a list of a response, the standard name first.
  private static func columns(_ standard: String, _ other: String) -> [String] {
    [standard, other, standard + "_json"]
  }

  /// The number of ``parts`` that are lists; only a table with one of them has the other parts.
  static let lists = 3
  /// The names that a list of a response may have as a column.
  public static let listNames = Set(parts.prefix(lists).flatMap(\.paths))
  /// The columns with a receipt that `paidline init` named as the response before.
  private static let receipt: Set = ["receipt", "receipt_json"]

  /// The index of the field with Apple's data: the response, the signed data, the transaction.
  let contentField: Int
  /// The index of the first field that is a part of a response; the number of fields without parts.
  let firstPart: Int

  /// Creates a layout from the paths of a pipeline entry; other keys have their default names.
  public init(
    kind: InputFile.Kind, keys: [(key: String, paths: [String])], zone: TimeZoneRules? = nil
  ) throws(PriceLayout.Fault) {
    named = keys
    self.zone = zone
    export = nil
    hasDecimalComma = false
    let known = kind == .signed ? Self.signedKeys : FieldMapping.receiptKeys
    var targets: [(field: UInt8, rank: Int, path: FieldPath)] = []
    var lines = zone.map { ["time zone \($0.name)"] } ?? []
    for (field, name) in known.enumerated() {
      let own = keys.first { $0.key == name }?.paths
      for (rank, text) in (own ?? Self.fieldMappings[name] ?? []).enumerated() {
        guard let path = FieldPath(text), !path.endsInList,
          !path.steps.contains(.elements)
        else { throw .noPath(key: name, text: text) }
        targets.append((UInt8(field), rank, path))
      }
      if let own { lines.append("record \(name) \(own.joined(separator: " "))") }
    }
    firstPart = known.count
    contentField = kind == .signed ? 2 : 1
    if kind == .receipts {
      let taken = Set(targets.compactMap { $0.path.steps.first })
      for (part, (_, paths)) in Self.parts.enumerated() {
        for (rank, text) in paths.enumerated() {
          guard let path = FieldPath(text), !taken.contains(path.steps[0]) else { continue }
          targets.append((UInt8(known.count + part), rank, path))
        }
      }
      // The lists beside a receipt were not read before: such files are read again.
      let response = keys.first { $0.key == "response" }?.paths ?? []
      if !Self.receipt.isDisjoint(with: response) { lines.append("the lists beside the receipt") }
    }
    table = try PathTable(targets)
    let name = kind == .signed ? "signed" : "response"
    let own = keys.first { $0.key == name }
    content = known.firstIndex(of: name).flatMap { field in
      own.map { (field, "\(name) (\($0.paths.joined(separator: ", ")))") }
    }
    let parts = kind == .receipts ? Self.parts : []
    // Signed data is found at any depth.
    names =
      known.map { $0 == "signed" ? "data" : $0 }
      + parts.map { part in part.paths.first { !$0.hasSuffix("_json") } ?? "" }
    identity = lines.joined(separator: "\n")
  }

  /// Creates the layout of a hosted service's export.
  public init(
    export: ServiceExport, hasDecimalComma: Bool = false, zone: TimeZoneRules? = nil
  ) throws(PriceLayout.Fault) {
    named = []
    self.zone = zone
    self.export = export
    self.hasDecimalComma = hasDecimalComma
    var targets: [(field: UInt8, rank: Int, path: FieldPath)] = []
    var lines =
      ["export \(export.name)"] + (hasDecimalComma ? ["decimal comma"] : [])
      + (zone.map { ["time zone \($0.name)"] } ?? [])
    for field in ServiceField.allCases {
      let paths = export.keys.first { $0.field == field }?.paths ?? []
      for (rank, path) in paths.enumerated() {
        targets.append((field.rawValue, rank, path))
        lines.append("\(field.name) \(rank) \(path.text)")
      }
    }
    table = try PathTable(targets)
    content = (
      Int(ServiceField.transaction.rawValue), export.pathText(of: .transaction)
    )
    names = ServiceField.allCases.map(\.name)
    firstPart = names.count
    contentField = Int(ServiceField.transaction.rawValue)
    identity = lines.joined(separator: "\n")
  }

  /// Whether a field is read in a JSON record too; receipt and status are parts of a table only.
  func isReadInJSON(_ field: Int) -> Bool {
    field < firstPart + Self.lists
  }

  /// Finds the columns that the layout uses in a table; `nil` if there are none.
  func cells(_ shape: TableShape) -> TableCells? {
    guard let export else { return TableCells(shape, table, firstPart: firstPart) }
    return TableCells(serviceColumns: shape, table, mayLackColumns: export.isNested)
  }

  /// Whether two layouts have the same identity.
  public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

  /// Hashes the text that identifies the layout.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
