public import CivilTime

/// The first day on which an export contains a customer, and the customer's first storefront.
///
/// Example: records of May 3 without a storefront and of May 7 from the USA → May 3, USA.
public struct CustomerArrival: Hashable, BitwiseCopyable, Sendable {
  /// The first day, in days since 1970-01-01.
  private var first: Int32
  /// The first day with a storefront, in days since 1970-01-01; equal to ``first`` if no storefront
  /// is known.
  private var firstPlaced: Int32
  /// The storefront in the earliest record with a storefront; `nil` if no record has a storefront.
  ///
  /// If the records of that day have several storefronts, the first in alphabetical order.
  public private(set) var storefront: Storefront?

  /// Creates an arrival from one record of a customer: the export's day and the storefront.
  public init(on day: CivilDay, in storefront: Storefront?) {
    first = Int32(clamping: day.daysSinceEpoch)
    firstPlaced = first
    self.storefront = storefront
  }

  /// Creates an arrival whose storefront became known a number of days after the first day.
  public init(on day: CivilDay, placedAfter days: Int64, in storefront: Storefront?) {
    self.init(on: day, in: storefront)
    firstPlaced = Int32(clamping: day.daysSinceEpoch + days)
  }

  /// The first day on which an export contains the customer.
  public var day: CivilDay { CivilDay(daysSinceEpoch: Int64(first)) }
  /// The number of days from the first day to the first day with a storefront; 0 if no storefront
  /// is known.
  public var daysUntilPlaced: Int64 { Int64(firstPlaced) - Int64(first) }

  /// Merges another arrival of the same customer; keeps the earlier day and the earlier storefront.
  public mutating func add(_ other: CustomerArrival) {
    first = min(first, other.first)
    guard let place = other.storefront else { return }
    if let known = storefront, (firstPlaced, known) <= (other.firstPlaced, place) { return }
    (firstPlaced, storefront) = (other.firstPlaced, place)
  }
}
