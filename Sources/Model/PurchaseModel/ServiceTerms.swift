public import Amounts

/// A hosted subscription service whose export the owner has.
public enum SubscriptionService: UInt8, Hashable, Comparable, BitwiseCopyable, Sendable,
  CaseIterable
{
  /// RevenueCat.
  case revenueCat = 1
  /// Adapty.
  case adapty
  /// Apphud.
  case apphud
  /// Superwall.
  case superwall
  /// Qonversion.
  case qonversion

  /// The name in pipelines, in the warehouse and in `--service`: `revenuecat`.
  public var name: String {
    switch self {
    case .revenueCat: "revenuecat"
    case .adapty: "adapty"
    case .apphud: "apphud"
    case .superwall: "superwall"
    case .qonversion: "qonversion"
    }
  }

  /// The name that the service gives itself: `RevenueCat`.
  public var title: String { self == .revenueCat ? "RevenueCat" : name.capitalizedFirst }

  /// Finds a service by its name; `nil` for any other text.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Orders services by their codes, so that a choice between them is deterministic.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// What a hosted service states about a purchase in addition to Apple's fields.
///
/// An observation with such terms comes from a service's export. No field that Apple's own data
/// have is overruled by it.
public struct ServiceTerms: Hashable, BitwiseCopyable, Sendable {
  /// The service whose export has the row.
  public var service: SubscriptionService
  /// The amount that the service says was charged for the whole transaction; `nil` if unknown.
  ///
  /// For a renewal this is the service's inference.
  public var charged: SignedPrice?
  /// The amount that the service books, in the currency of ``charged``.
  ///
  /// It is net of refunds if the service books it so. `nil` if unknown.
  public var booked: Milliunits?
  /// Whether the transaction is the first of its chain, whose amount the phone sent.
  public var isFirst = false
  /// Whether the service marks paid introductory rows.
  ///
  /// If not, a first purchase at an introductory price looks like one at the regular price.
  public var marksOffers = true
  /// Whether the row states when the purchase was made.
  ///
  /// Some services describe a refund in a row with the time of the refund only.
  public var isDated = true

  /// Creates terms without amounts.
  public init(service: SubscriptionService) { self.service = service }
}
