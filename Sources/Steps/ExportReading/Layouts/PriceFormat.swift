public import Amounts
public import PurchaseModel

/// The layout of price reports that a program writes: which value stands where, and what it means.
///
/// A format is a declaration. Each line of its keys is a field and one or more paths to it, the
/// first one present is used. For example Google Analytics' event `in_app_purchase`:
///
/// ```
/// product_id   event_params[key=product_id].value.string_value
/// price        event_params[key=price].value.int_value
/// ```
public struct PriceFormat: Hashable, Sendable {
  /// The name in pipelines: `amplitude`.
  public let name: String
  /// The meaning of its prices: of the product as it was shown, or of one transaction.
  public let meaning: PriceMeaning
  /// The unit of its prices.
  public let unit: PriceUnit
  /// The events that are reports of prices, by the values of `event` and `event.2`; empty for all.
  let events: [[String]]
  /// The events of purchases whose price the service itself infers.
  let inferred: [String]
  /// Whether an offer's period is the length of the whole offer.
  let isWholeOffer: Bool
  /// The names of objects that may hold the payload, in a record with its time and customer.
  let envelopes: [String]
  /// The remark for a pipeline that names the format and lacks a field; empty for none.
  public let remark: String
  private(set) var keys: [(field: LayoutField, paths: [FieldPath])]

  init(
    _ name: String, _ meaning: PriceMeaning, unit: PriceUnit = .main, events: [[String]] = [],
    inferred: [String] = [], isWholeOffer: Bool = false, envelopes: [String]? = nil,
    remark: String = "", _ keys: String
  ) {
    self.name = name
    self.meaning = meaning
    self.unit = unit
    self.events = events
    self.inferred = inferred
    self.isWholeOffer = isWholeOffer
    self.remark = remark
    self.keys = keys.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      guard let field = words.first.flatMap({ LayoutField(name: String($0)) }) else {
        preconditionFailure("\(name): \(line) names no field")
      }
      return (
        field,
        words.dropFirst().map { word in
          guard let path = FieldPath(String(word)) else {
            preconditionFailure("\(name): \(word) is no path")
          }
          return path
        }
      )
    }
    // A payload without a time stands in a record that has the time.
    let isTimed = self.keys.contains { $0.field == .time }
    self.envelopes = envelopes ?? (isTimed ? [] : Self.envelopes)
  }

  /// The same format with further keys.
  func adding(_ more: [(field: LayoutField, paths: [FieldPath])]) -> PriceFormat {
    var format = self
    format.keys += more
    return format
  }

  /// The names under which a record may hold a payload.
  static let envelopes = ["payload", "product", "event", "data", "body"]

  /// Formats are equal if they have one name.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Feeds the name, which formats are compared by.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The format of a name; `nil` for an unknown name.
  public static func named(_ name: String) -> PriceFormat? { all.first { $0.name == name } }

  /// Every format that a pipeline can name, by name.
  public static let all = (sdks + events + services).sorted { $0.name < $1.name }
}
