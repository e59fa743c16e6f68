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
    table = try PathTable(targets)
    let name = kind == .signed ? "signed" : "response"
    let own = keys.first { $0.key == name }
    content = known.firstIndex(of: name).flatMap { field in
      own.map { (field, "\(name) (\($0.paths.joined(separator: ", ")))") }
    }
    // Signed data is found at any depth.
    names = known.map { $0 == "signed" ? "data" : $0 }
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
    identity = lines.joined(separator: "\n")
  }

  /// Finds the columns that the layout uses in a table; `nil` if there are none.
  func cells(_ shape: TableShape) -> TableCells? {
    guard let export else { return TableCells(shape, table) }
    return TableCells(serviceColumns: shape, table, mayLackColumns: export.isNested)
  }

  /// Whether two layouts have the same identity.
  public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

  /// Hashes the text that identifies the layout.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
