public import Amounts
public import CivilTime
public import PurchaseModel

/// The paths and constants by which the price reports of one pipeline entry are read.
///
/// A layout consists of the paths of a ``PriceFormat``, some of them replaced by the pipeline's own
/// paths. Example: `keys: {product_id: event_properties.$productId}`.
///
/// The layout is a class, so that a copy costs one reference.
public final class PriceLayout: Sendable {
  /// The meaning of the prices: shown for a product, or charged for a transaction.
  public let meaning: PriceMeaning
  /// The sender of the prices, if they are charges.
  public let sender: ChargeSender
  /// Whether the owner's server verified the charges.
  public let isTrusted: Bool
  /// Whether the field `platform` is known to have the name of a store or system.
  ///
  /// In Paidline's own format the field's name alone does not show this: `os` may be a version.
  let isPlatformCertain: Bool
  /// The unit of the prices.
  public let unit: PriceUnit
  /// Whether prices are texts with a decimal comma: `9,99`, `1.299,00`.
  public let hasDecimalComma: Bool
  /// The zone of times that name none; `nil` for UTC.
  let zone: TimeZoneRules?
  /// The format; `nil` for Paidline's own price format.
  public let format: PriceFormat?
  /// Whether the paths are those of Paidline's own price format.
  let isOwn: Bool
  /// A text that identifies the layout; layouts with equal texts read every record equally.
  public let identity: String
  let table: PathTable
  let values: [(field: LayoutField, value: String)]
  let events: [String]
  let inferred: [String]
  let isWholeOffer: Bool
  /// The keys of the pipeline entry with their paths, as written.
  let named: [(key: String, paths: [String])]
  /// The paths of each field as written, the preferred one first.
  let paths: [(field: LayoutField, paths: [String])]
  /// Whether an introductory offer has a price, but neither a mode nor a length.
  let hasIntroPriceAlone: Bool

  /// The standard keys for which a pipeline may state paths.
  public static let keys =
    FieldMapping.priceKeys
    + ["bundle_id", "environment", "platform", "total", "quantity", "event", "payload"]
  /// The standard keys for which a pipeline may state one value for all records.
  public static let constants = [
    "product_id", "currency", "price", "reported_at", "storefront", "environment", "bundle_id",
  ]

  /// The reason why a layout is unusable.
  public enum Fault: Error, Hashable {
    /// The text under a key is not a path, or is the path to a list where a single value is needed.
    case noPath(key: String, text: String)
    /// A path leads through two lists, or to the value of another field.
    ///
    /// The associated value is the path. Also used if the paths need too many members of one
    /// object; the associated value is then the name of a member.
    case ambiguous(String)
    /// The standard keys that are missing from the layout, and the format's remark.
    case lacks([String], remark: String)
  }

  /// Creates a layout from a format and the settings of a pipeline entry.
  ///
  /// - Parameters:
  ///   - format: The format; `nil` for Paidline's own price format.
  ///   - keys: The paths, keyed by the standard keys in ``keys``; they replace the format's paths.
  ///   - eventNames: The names of events with a price; `nil` for the format's names.
  ///   - meaning: The meaning of the prices; `nil` for the format's meaning, `list` without a
  ///     format.
  ///   - unit: The unit of the prices; `nil` for the format's unit, main units without a format.
  ///   - isTrusted: Whether the owner's server verified the charges.
  ///   - hasDecimalComma: Whether prices are texts with a decimal comma.
  ///   - zone: The zone of times that name none; `nil` for UTC.
  public init(
    format: PriceFormat?, keys: [(key: String, paths: [String])] = [],
    constants: [(key: String, value: String)] = [], events eventNames: [String]? = nil,
    meaning: PriceMeaning? = nil, unit: PriceUnit? = nil, isTrusted: Bool = false,
    hasDecimalComma: Bool = false, zone: TimeZoneRules? = nil
  ) throws(Fault) {
    let base = format ?? .own
    self.format = format
    isOwn = format == nil
    named = keys
    self.meaning = meaning ?? base.meaning
    sender = Self.sender(of: format, isStated: meaning == .charged || isTrusted)
    self.isTrusted = isTrusted
    isPlatformCertain = format != nil || keys.contains { $0.key == "platform" }
    self.unit = unit ?? base.unit
    self.hasDecimalComma = hasDecimalComma
    self.zone = zone
    events = eventNames ?? base.events
    inferred = base.inferred
    isWholeOffer = base.isWholeOffer
    values = constants.compactMap { constant in
      LayoutField(name: constant.key).map { ($0, constant.value) }
    }
    var payloads: [String] = []
    for text in keys.first(where: { $0.key == "payload" })?.paths ?? [] {
      guard let steps = FieldPath(text)?.steps, steps.count == 1, case .member(let name) = steps[0]
      else { throw .noPath(key: "payload", text: text) }
      payloads.append(name)
    }
    var own: [(field: LayoutField, paths: [FieldPath])] = []
    for (key, texts) in keys where key != "payload" {
      var paths: [FieldPath] = []
      for text in texts {
        guard let path = FieldPath(text), key == "discounts" || !path.endsInList else {
          throw .noPath(key: key, text: text)
        }
        paths.append(path)
      }
      own += Self.fields(of: key, paths)
    }
    var all = own + base.keys.filter { standard in !own.contains { $0.field == standard.field } }
    // If the pipeline has a path to a unit price, the format's path to a total is not used. If
    // the pipeline has a path to a total, the format's path to a unit price is not used.
    if own.contains(where: { $0.field == .price }) { all.removeAll { $0.field == .total } }
    if own.contains(where: { $0.field == .total }) {
      all.removeAll { $0.field == .price && !own.contains { $0.field == .price } }
    }
    let named = Set(own.flatMap(\.paths))
    var targets: [(field: LayoutField, rank: Int, path: FieldPath)] = []
    for (field, paths) in all {
      let isOwn = own.contains { $0.field == field }
      for (rank, path) in paths.enumerated() where isOwn || !named.contains(path) {
        targets.append((field, rank, path))
      }
    }
    if format == nil { targets += Self.marks(beside: targets) }
    if format != nil {
      let taken = Set(targets.map(\.path))
      targets += Self.around.filter { !taken.contains($0.path) }
    }
    paths = all.map { ($0.field, $0.paths.map(\.text)) }
    let fields = Set(all.map(\.field))
    hasIntroPriceAlone =
      fields.contains(.introPrice)
      && fields.isDisjoint(with: [.introMode, .introPeriods, .introPeriod, .introUnit])
    table = try PathTable(
      targets.map { ($0.field.rawValue, $0.rank, $0.path) }, envelopes: base.envelopes + payloads
    ) { (LayoutField.offerPrice.rawValue...LayoutField.offerKind.rawValue).contains($0) }
    let known = Set(targets.map(\.field)).union(values.map(\.field))
    let needed: [(String, [LayoutField])] = [
      ("product_id", [.product]), ("currency", [.currency]), ("price", [.price, .total]),
      ("reported_at", [.time]),
    ]
    var lacking = needed.filter { known.isDisjoint(with: $0.1) }.map(\.0)
    if eventNames != nil, !known.contains(.event) { lacking.append("event") }
    guard lacking.isEmpty else { throw .lacks(lacking, remark: base.remark) }
    let lines =
      ["format \(base.name)", "meaning \(self.meaning)", "unit \(self.unit.rawValue)"]
      + (self.meaning == .charged ? ["sender \(sender)"] : []) + (isTrusted ? ["trusted"] : [])
      + targets.map { "\($0.field.name) \($0.rank) \($0.path.text)" }
      + values.map { "\($0.field.name) = \($0.value)" }
      + (eventNames ?? []).map { "event \($0)" }
    let settings =
      (hasDecimalComma ? ["decimal comma"] : []) + (zone.map { ["time zone \($0.name)"] } ?? [])
    identity = (lines + settings + payloads.map { "payload \($0)" }).joined(separator: "\n")
  }

  /// The sender of the charges of a format, or of the owner's own table.
  ///
  /// `isStated` is true if the pipeline itself states that the prices are charges.
  private static func sender(of format: PriceFormat?, isStated: Bool) -> ChargeSender {
    if let format, PriceFormat.services.contains(format) { return .service }
    return isStated ? .owner : .app
  }

  /// The name of a field and its paths, for messages: `price (fee.amount, price)`.
  func pathText(of field: LayoutField) -> String {
    let own = paths.first { $0.field == field }?.paths ?? []
    return own.isEmpty || own == [field.name]
      ? field.name : "\(field.name) (\(own.joined(separator: ", ")))"
  }

  /// The key of a field in the own form, for messages: its name in the pipeline, or its first name.
  func key(of field: LayoutField) -> String {
    let key =
      switch field {
      case .introPrice: "introductory_price"
      case .introMode, .offerMode: "payment_mode"
      case .introPeriods, .offerPeriods: "number_of_periods"
      case .introPeriod: "intro_duration"
      case .offerPeriod, .offerUnit, .offerUnits: "subscription_period"
      case .offerID: "identifier"
      default: field.name
      }
    return named.first { $0.key == key }?.paths.first ?? key
  }

  /// The second key of a field in the own form.
  func secondKey(of field: LayoutField) -> String {
    let names = paths.first { $0.field == field }?.paths ?? []
    return names.dropFirst(Int(field.firstNames)).first ?? key(of: field)
  }

  /// Lists the fields for a standard key of the pipeline, with their paths.
  private static func fields(of key: String, _ paths: [FieldPath])
    -> [(field: LayoutField, paths: [FieldPath])]
  {
    switch key {
    case "introductory_price": PriceFormat.offerKeys(.introductory, at: paths)
    case "discounts": PriceFormat.offerKeys(.listed, at: paths)
    case "applied_discount": [(.appliedDiscount, PriceFormat.discountPaths(paths))]
    default: LayoutField(name: key).map { [($0, paths)] } ?? []
    }
  }

  /// Returns the paths to keys of other formats in the object of a price, such as `priceMicros`.
  ///
  /// If a record has such a key, its `price` may have another meaning.
  private static func marks(beside targets: [(field: LayoutField, rank: Int, path: FieldPath)])
    -> [(field: LayoutField, rank: Int, path: FieldPath)]
  {
    var taken = Set(targets.map(\.path))
    var marks: [(field: LayoutField, rank: Int, path: FieldPath)] = []
    for price in targets where price.field == .price {
      for (rank, mark) in FormatMark.all.enumerated() {
        guard let path = price.path.beside(mark.key), taken.insert(path).inserted else { continue }
        marks.append((.mark, rank, path))
      }
    }
    return marks
  }

  /// The fields of a record that may be outside of its payload; values inside the payload are
  /// preferred.
  private static let around: [(field: LayoutField, rank: Int, path: FieldPath)] = [
    (
      LayoutField.time,
      ["reported_at", "reportedAt", "reported_at_ms", "received_at", "receivedAt"]
    ),
    (.customer, ["customer_id", "customerId", "app_user_id", "user_id", "userId"]),
    (.storefront, ["storefront"]), (.transaction, ["transaction_id", "transactionId"]),
  ].flatMap { field, names in
    names.enumerated().compactMap { rank, name in
      FieldPath(name).map { (field, 100 + rank, $0) }
    }
  }
}
