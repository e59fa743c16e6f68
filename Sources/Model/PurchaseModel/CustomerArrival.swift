public import CivilTime

/// The first day on which the exports name a customer, and the storefront named first.
///
/// For example a customer in a record of 3 May without a storefront and in one of 7 May from USA:
/// 3 May, USA.
public struct CustomerArrival: Hashable, BitwiseCopyable, Sendable {
  /// The first day, in days since 1970.
  private var first: Int32
  /// The first day with a storefront.
  private var firstPlaced: Int32
  /// The storefront of that day; of several the first by alphabet.
  public private(set) var storefront: Storefront?

  /// A customer who is named on a day.
  public init(on day: CivilDay, in storefront: Storefront?) {
    first = Int32(clamping: day.daysSinceEpoch)
    firstPlaced = first
    self.storefront = storefront
  }

  /// A customer who is named on a day, and first with a storefront some days later.
  public init(on day: CivilDay, placedAfter days: Int64, in storefront: Storefront?) {
    self.init(on: day, in: storefront)
    firstPlaced = Int32(clamping: day.daysSinceEpoch + days)
  }

  /// The first day on which an export names the customer.
  public var day: CivilDay { CivilDay(daysSinceEpoch: Int64(first)) }
  /// The number of days from the first one to the first one with a storefront.
  public var daysUntilPlaced: Int64 { Int64(firstPlaced) - Int64(first) }

  /// Includes another day on which the customer is named.
  public mutating func add(_ other: CustomerArrival) {
    first = min(first, other.first)
    guard let place = other.storefront else { return }
    if let known = storefront, (firstPlaced, known) <= (other.firstPlaced, place) { return }
    (firstPlaced, storefront) = (other.firstPlaced, place)
  }
}
