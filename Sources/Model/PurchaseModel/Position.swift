/// An item's place in a list, from 0.
///
/// Places of different lists do not mix: `Position<PriceReport>` is no place of a row.
public struct Position<Item>: Hashable, Comparable, BitwiseCopyable, Sendable {
  private let number: Int32
  /// Names a place.
  public init(_ index: Int) { number = Int32(index) }
  /// The place as an index of an array.
  public var index: Int { Int(number) }
  /// In the order of the list.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A price report's place in a list of reports.
public typealias ReportPosition = Position<PriceReport>

/// An offer's place in a list of all offers in reports.
public typealias OfferPosition = Position<OfferPrice>
