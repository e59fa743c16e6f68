public import Amounts
public import PurchaseModel

/// The field mapping of a pipeline's exports: key names, unit of prices, and signature settings.
///
/// Example: with `priceKeys: ["product_id": "sku"]` and `priceUnit: .minor`, the report
/// `{"sku":"pro","currency":"USD","price":999,…}` has a price of 9.99 USD for `pro`.
public struct FieldMapping: Hashable, Sendable {
  /// The standard keys of receipt records that a pipeline may rename.
  public static let receiptKeys = [
    "customer_id", "response", "received_at", "storefront", "price_report", "environment",
    "is_sandbox",
  ]
  /// The standard keys of price reports that a pipeline may rename.
  public static let priceKeys = [
    "product_id", "currency", "price", "reported_at", "customer_id", "transaction_id",
    "storefront", "introductory_price", "discounts", "applied_discount",
  ]
  /// The greatest length of a key's name, in bytes.
  public static let longestName = KeyTable<ReceiptKey>.longest

  /// The default field mapping: Paidline's and Apple's key names, and prices in main units
  /// (`9.99`).
  public static let standard = FieldMapping()

  /// The unit of every price in a report.
  public let priceUnit: PriceUnit
  /// The factory of readers for files of signed transactions; `nil` if there are no such files.
  public let signed: (any SignedExportReading)?
  /// Whether the pipeline entry states the unit of its prices.
  public private(set) var namesUnit = false
  /// Whether the owner's server verified the payloads of a pipeline entry's signed records.
  let isTrusted: Bool
  /// Whether a file is complete through the day before its newest snapshot, as if that snapshot's
  /// day were in its name.
  public var isCompleteThroughNewest = false
  /// Whether the pipeline states that the prices of an entry are in the purchases' own currencies.
  public private(set) var hasLocalAmounts = false
  /// The layout of price reports; `nil` for Paidline's own price format.
  let priceLayout: PriceLayout?
  /// The paths to the values of receipt records or signed records; `nil` for the default names.
  let recordLayout: RecordLayout?
  /// The format of a hosted service's export; `nil` for other files.
  public var export: ServiceExport? { recordLayout?.export }
  /// The pipeline's names for standard keys of receipt records and of price reports.
  private let receiptNames: [String: String]
  private let priceNames: [String: String]
  /// The names by which receipt records are read.
  let receipts: ReceiptTables
  /// The layout of receipt records, by which the columns of a table are found.
  private let ownRecords: RecordLayout?
  /// The layout of Paidline's own price format.
  ///
  /// A price report inside a receipt record has this form too.
  let ownLayout: PriceLayout?

  private static let standardLayout = try? PriceLayout(format: nil)
  private static let standardRecords = try? RecordLayout(kind: .receipts, keys: [])
  private static let standardSigned = try? RecordLayout(kind: .signed, keys: [])

  /// Creates a field mapping with custom names.
  ///
  /// - Parameters:
  ///   - signed: The factory of readers for files of signed transactions; `nil` if there are no
  ///     such files.
  ///   - priceLayout: The layout of price reports; `nil` for Paidline's own format.
  ///   - isTrusted: Whether the owner's server verified unsigned payloads.
  public init(
    receiptKeys: [String: String] = [:], priceKeys: [String: String] = [:],
    priceUnit: PriceUnit = .main, signed: (any SignedExportReading)? = nil,
    priceLayout: PriceLayout? = nil, recordLayout: RecordLayout? = nil, isTrusted: Bool = false
  ) {
    self.isTrusted = isTrusted
    self.priceLayout = priceLayout
    self.recordLayout = recordLayout
    self.priceUnit = priceUnit
    self.signed = signed
    receiptNames = receiptKeys
    priceNames = priceKeys
    receipts = receiptKeys.isEmpty ? .made : ReceiptTables(renaming: receiptKeys)
    ownRecords =
      receiptKeys.isEmpty
      ? Self.standardRecords
      : try? RecordLayout(kind: .receipts, keys: Self.paths(receiptKeys))
    ownLayout =
      priceKeys.isEmpty
      ? Self.standardLayout : try? PriceLayout(format: nil, keys: Self.paths(priceKeys))
  }

  /// The pipeline's names as paths, sorted by the standard names.
  private static func paths(_ names: [String: String]) -> [(key: String, paths: [String])] {
    names.sorted { $0.key < $1.key }.map { ($0.key, [FieldPath.text(of: $0.value)]) }
  }

  /// Creates the mapping for the price files of one pipeline entry.
  public init(layout: PriceLayout, namesUnit: Bool, hasLocalAmounts: Bool = false) {
    self.init(priceUnit: layout.unit, priceLayout: layout)
    self.namesUnit = namesUnit
    self.hasLocalAmounts = hasLocalAmounts
  }

  /// Creates the mapping for the receipts, the signed transactions or the services' exports of one
  /// pipeline entry.
  public init(records: RecordLayout, isTrusted: Bool = false) {
    self.init(recordLayout: records, isTrusted: isTrusted)
  }

  /// Returns this mapping of a pipeline entry with the signature settings of its pipeline.
  ///
  /// The result keeps the layouts and the unit, but has the default key names outside of layouts.
  public func signing(_ signed: (any SignedExportReading)?) -> FieldMapping {
    var mapping = FieldMapping(
      priceUnit: priceUnit, signed: signed, priceLayout: priceLayout, recordLayout: recordLayout,
      isTrusted: isTrusted)
    mapping.isCompleteThroughNewest = isCompleteThroughNewest
    return mapping
  }

  /// The names of the events with a price; empty if every record has a price.
  public var eventNames: [String] { priceLayout?.events ?? [] }

  /// The field from which prices are read, with its paths: `price (fee.amount, price)`.
  public var priceField: String { priceLayout?.pathText(of: .price) ?? "price" }

  /// The layout for price files; `nil` for Paidline's own price format and for other kinds of
  /// files.
  func layout(of kind: InputFile.Kind) -> PriceLayout? { kind == .prices ? priceLayout : nil }

  /// The layout of a table of receipts or signed transactions, whose columns may have the default
  /// names; `nil` for other kinds of files.
  func tableLayout(of kind: InputFile.Kind) -> RecordLayout? {
    switch kind {
    case .receipts: recordLayout ?? ownRecords
    case .signed: recordLayout ?? Self.standardSigned
    case .prices, .exports, .appleReports: nil
    }
  }

  /// A text that identifies the whole field mapping; empty for the default.
  public var identity: String {
    let signing = identity(of: .signed)
    return [identity(of: .receipts), signing.isEmpty ? "" : "signed \(signing)"]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// A text that identifies the field mapping of one kind of file; empty for the default.
  ///
  /// A file must be read again when this text changes. For receipts and prices the text consists of
  /// key names, units and paths; for signed transactions, of signature settings and paths.
  public func identity(of kind: InputFile.Kind) -> String {
    let parts: [String?] =
      switch kind {
      case .receipts, .prices: [names.isEmpty ? nil : names]
      case .signed: [isTrusted ? "trusted" : nil, signed?.identity, recordLayout?.identity]
      case .exports: [isTrusted ? "trusted" : nil, recordLayout?.identity]
      case .appleReports: []
      }
    return (parts + [isCompleteThroughNewest ? "complete through its newest time" : nil])
      .compactMap(\.self).joined(separator: "\n")
  }

  /// A text that identifies the key names of receipts and prices; empty for the default names.
  private var names: String {
    let keys =
      receiptNames.map { "receipt \($0.key)=\($0.value)" }
      + priceNames.map { "price \($0.key)=\($0.value)" }
    let unit = priceUnit == .main ? [] : ["unit \(priceUnit.rawValue)"]
    let layouts = [priceLayout?.identity, recordLayout?.identity].compactMap(\.self)
    return (keys.sorted() + unit + layouts).joined(separator: "\n")
  }
}

extension FieldMapping {
  /// Returns true if two field mappings read every export equally.
  public static func == (left: Self, right: Self) -> Bool {
    left.receiptNames == right.receiptNames && left.priceNames == right.priceNames
      && left.priceUnit == right.priceUnit && left.isTrusted == right.isTrusted
      && left.isCompleteThroughNewest == right.isCompleteThroughNewest
      && left.signed?.identity ?? "" == right.signed?.identity ?? ""
      && left.priceLayout?.identity == right.priceLayout?.identity
      && left.recordLayout == right.recordLayout
  }

  /// Hashes the settings that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(receiptNames)
    hasher.combine(priceNames)
    hasher.combine(priceUnit)
    hasher.combine(recordLayout)
    hasher.combine(priceLayout?.identity)
  }

  /// The version of the reader.
  ///
  /// A release that accepts more input than its predecessor has a higher version.
  public static let readerVersion: Int64 = 3
}
