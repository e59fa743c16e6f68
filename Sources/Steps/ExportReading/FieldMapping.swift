public import Amounts
public import PurchaseModel

/// The field mapping of one pipeline's exports: keys, units of money and signatures.
///
/// Example: with `priceKeys: ["product_id": "sku"]` and `priceUnit: .minor`, the report
/// `{"sku":"pro","currency":"USD","price":999,…}` means that `pro` costs 9.99 USD.
public struct FieldMapping: Hashable, Sendable {
  /// The standard keys of receipt records that a pipeline may rename.
  public static let receiptKeys = [
    "customer_id", "response", "received_at", "storefront", "price_report",
  ]
  /// The standard keys of price reports that a pipeline may rename.
  public static let priceKeys = [
    "product_id", "currency", "price", "reported_at", "customer_id", "transaction_id",
    "storefront", "introductory_price", "discounts", "applied_discount",
  ]
  /// The longest name that a key may have, in bytes.
  public static let longestName = KeyTable<ReceiptKey>.longest

  /// The field mapping without settings: Paidline's and Apple's names, and main units.
  public static let standard = FieldMapping()

  /// The unit of every price in a report.
  public let priceUnit: PriceUnit
  /// Reads files of signed transactions; `nil` if there are none.
  public let signed: (any SignedExportReading)?
  /// Whether the entry names the unit of its prices.
  public private(set) var namesUnit = false
  /// The layout of price reports; `nil` for Paidline's own form.
  let priceLayout: PriceLayout?
  /// The paths to the values of receipt records or signed ones; `nil` for their own names.
  let recordLayout: RecordLayout?
  /// The layout of tables in Paidline's own form.
  static let ownLayout = try? PriceLayout(format: nil)
  let receipts: ReceiptTables
  let prices: PriceTables

  /// The identity of the key names of receipts and prices: empty for the standard ones.
  private let names: String

  private init() {
    priceUnit = .main
    signed = nil
    priceLayout = nil
    recordLayout = nil
    receipts = .made
    prices = .made
    names = ""
  }

  /// A field mapping with names of its own.
  ///
  /// - Parameters:
  ///   - receiptKeys: Own names by standard key, of ``FieldMapping/receiptKeys``.
  ///   - priceKeys: Own names by standard key, of ``FieldMapping/priceKeys``.
  ///   - priceUnit: The unit of every price in a report.
  ///   - signed: Reads files of signed transactions; `nil` without any.
  ///   - priceLayout: The layout of price reports; `nil` for Paidline's own form.
  ///   - recordLayout: The paths to the values of receipt records or signed ones.
  public init(
    receiptKeys: [String: String], priceKeys: [String: String], priceUnit: PriceUnit,
    signed: (any SignedExportReading)? = nil, priceLayout: PriceLayout? = nil,
    recordLayout: RecordLayout? = nil
  ) {
    self.priceLayout = priceLayout
    self.recordLayout = recordLayout
    self.priceUnit = priceUnit
    self.signed = signed
    receipts =
      receiptKeys.isEmpty
      ? .made
      : ReceiptTables(
        renaming: receiptKeys.sorted { $0.key < $1.key }.compactMap { standard, own in
          Self.meaning(ofReceiptKey: standard).map { (own, $0) }
        })
    prices =
      priceKeys.isEmpty
      ? .made
      : PriceTables(
        renaming: priceKeys.sorted { $0.key < $1.key }.compactMap { standard, own in
          Self.meaning(ofPriceKey: standard).map { (own, $0) }
        })
    let keys =
      receiptKeys.map { "receipt \($0.key)=\($0.value)" }
      + priceKeys.map { "price \($0.key)=\($0.value)" }
    let unit = priceUnit == .main ? [] : ["unit \(priceUnit.rawValue)"]
    let layouts = [priceLayout?.identity, recordLayout?.identity].compactMap(\.self)
    names = (keys.sorted() + unit + layouts).joined(separator: "\n")
  }

  /// The way in which the price files of one entry are read.
  public init(layout: PriceLayout, namesUnit: Bool) {
    self.init(
      receiptKeys: [:], priceKeys: [:], priceUnit: layout.unit, priceLayout: layout)
    self.namesUnit = namesUnit
  }

  /// The way in which the receipts or signed transactions of one entry are read.
  public init(records: RecordLayout) {
    self.init(receiptKeys: [:], priceKeys: [:], priceUnit: .main, recordLayout: records)
  }

  /// The same way of reading with the signatures of a pipeline.
  public func signing(_ signed: (any SignedExportReading)?) -> FieldMapping {
    FieldMapping(
      receiptKeys: [:], priceKeys: [:], priceUnit: priceUnit, signed: signed,
      priceLayout: priceLayout, recordLayout: recordLayout)
  }

  /// The layout of the files of a kind: that of the entry, and for tables Paidline's own form.
  func layout(of kind: InputFile.Kind) -> PriceLayout? { kind == .prices ? priceLayout : nil }

  /// The identity of the whole field mapping: empty for the standard one.
  public var identity: String {
    let signing = identity(of: .signed)
    return [names, signing.isEmpty ? "" : "signed \(signing)"].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The identity of the field mapping of one kind of file: empty for the standard one.
  ///
  /// A file that was read under another field mapping has other content. Names and unit mean
  /// nothing to signed transactions, and the settings of these nothing to other files.
  public func identity(of kind: InputFile.Kind) -> String {
    switch kind {
    case .receipts, .prices: names
    case .signed:
      [signed?.identity, recordLayout?.identity].compactMap(\.self).joined(separator: "\n")
    case .appleReports: ""
    }
  }

  /// The keys of the walker that a name replaces, the one that it then means first.
  private static func meaning(ofReceiptKey standard: String) -> [ReceiptKey]? {
    switch standard {
    case "customer_id": [.customerID, .appUserID]
    case "response": [.response]
    case "received_at": [.receivedAt, .receivedMilliseconds]
    case "storefront": [.storefront, .storeCountry]
    case "price_report": [.priceReport]
    default: nil
    }
  }

  private static func meaning(ofPriceKey standard: String) -> [PriceKey]? {
    switch standard {
    case "product_id": [.productID]
    case "currency": [.currency, .priceLocale]
    case "price": [.price]
    case "reported_at": [.reportedAt, .reportedMilliseconds]
    case "customer_id": [.customerID, .appUserID]
    case "transaction_id": [.transactionID]
    case "storefront": [.storefront, .storeCountry]
    case "introductory_price": [.introductoryPrice]
    case "discounts": [.discounts, .offers]
    case "applied_discount": [.appliedDiscount]
    default: nil
    }
  }
}

extension FieldMapping {
  /// Whether two field mappings read every export alike.
  public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

  /// Feeds the identity of the field mapping.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// The version of the reader; raised when it can read more than before.
  public static let readerVersion: Int64 = 2
}
