public import Amounts
public import PurchaseModel

/// The format of a program's price reports: the paths and the meaning of their values.
///
/// A format is a declaration. Each line has a field and one or more paths to it; the first path
/// with a value is used. Example, Google Analytics' event `in_app_purchase`:
///
/// ```
/// product_id   event_params[key=product_id].value.string_value
/// price        event_params[key=price].value.int_value
/// ```
public struct PriceFormat: Hashable, Sendable {
  /// The name of the format in pipelines: `amplitude`.
  public let name: String
  /// The meaning of the format's prices: shown for a product, or charged for a transaction.
  public let meaning: PriceMeaning
  /// The unit of the format's prices.
  public let unit: PriceUnit
  /// The values of `event` that mark a price report; empty if every event is a report.
  let events: [String]
  /// The values of `event` that mark a purchase with a price that the sending service inferred.
  let inferred: [String]
  /// Whether an offer's period is the length of the whole offer, not one billing period.
  let isWholeOffer: Bool
  /// The names of objects that may contain the price report, such as `payload`.
  ///
  /// If one of these objects contains the report, the time and the customer may still be outside of
  /// the object.
  let envelopes: [String]
  /// The message for a pipeline entry that lacks a needed field of this format; may be empty.
  public let remark: String
  private(set) var keys: [(field: LayoutField, paths: [FieldPath])]

  init(
    _ name: String, _ meaning: PriceMeaning, unit: PriceUnit = .main, events: [String] = [],
    inferred: [String] = [], isWholeOffer: Bool = false, envelopes: [String] = Self.envelopes,
    remark: String = "", _ keys: String
  ) {
    self.name = name
    self.meaning = meaning
    self.unit = unit
    self.events = events
    self.inferred = inferred
    self.isWholeOffer = isWholeOffer
    self.remark = remark
    self.keys = FieldPath.declared(in: keys, field: LayoutField.init(name:))
    self.envelopes = envelopes
  }

  /// Returns this format with additional fields and their paths.
  func adding(_ more: [(field: LayoutField, paths: [FieldPath])]) -> PriceFormat {
    var format = self
    format.keys += more
    return format
  }

  /// The names of objects that may contain a price report, in most formats.
  static let envelopes = ["payload", "product", "event", "data", "body"]

  /// Whether two formats have the same name.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name, which identifies a format.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The format with a name; `nil` for an unknown name.
  public static func named(_ name: String) -> PriceFormat? { all.first { $0.name == name } }

  /// Every format that a pipeline can use, sorted by name.
  public static let all = (sdks + events + services).sorted { $0.name < $1.name }
}
