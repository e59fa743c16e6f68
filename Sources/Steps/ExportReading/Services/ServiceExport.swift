public import PurchaseModel

/// The export of a hosted subscription service: the paths to its values, and its events.
///
/// A format is a declaration, like ``PriceFormat``. Each line has a field and one or more paths;
/// the first path with a value is used.
public struct ServiceExport: Hashable, Sendable {
  /// The name of the format in pipelines: `revenuecat_export`.
  public let name: String
  /// The service that writes the export.
  public let service: SubscriptionService
  /// The columns, or paths of a JSON object, by which a file of this format is recognized.
  ///
  /// A file has the format if it has all of them, whatever else it has.
  public let marks: [String]
  /// Whether the format is that of webhooks: JSON objects with objects in them.
  public let isNested: Bool
  /// Whether the service marks paid introductory rows.
  let marksOffers: Bool
  /// The meaning of each event; empty if every row describes a whole transaction.
  let events: [String: ServiceEvent]
  let keys: [(field: ServiceField, paths: [FieldPath])]

  init(
    _ name: String, _ service: SubscriptionService, marks: [String], marksOffers: Bool = true,
    events: [ServiceEvent: [String]] = [:], _ keys: String
  ) {
    self.name = name
    self.service = service
    self.marks = marks
    isNested = marks.contains { $0.contains(".") }
    self.marksOffers = marksOffers
    var meanings: [String: ServiceEvent] = [:]
    for (event, names) in events { for name in names { meanings[name] = event } }
    self.events = meanings
    self.keys = FieldPath.declared(in: keys, field: ServiceField.init(name:))
  }

  /// The format with a name; `nil` for an unknown name.
  public static func named(_ name: String) -> ServiceExport? { all.first { $0.name == name } }

  /// Whether two formats have the same name.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name, which identifies a format.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a row of an event log says about a transaction.
enum ServiceEvent: Hashable, Sendable {
  /// The transaction was made at the time of the row.
  case purchase
  /// The transaction was refunded at the time of the row.
  case refund
  /// The customer switched renewal off.
  case renewalOff
  /// The customer switched renewal on.
  case renewalOn
  /// Apple could not charge the customer.
  case billingIssue
}
