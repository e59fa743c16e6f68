/// The index of an item in a list, from 0.
///
/// The type names the items: a `Position<PriceReport>` cannot be used as an index of rows.
public struct Position<Item>: Hashable, Comparable, BitwiseCopyable, Sendable {
  private let number: Int32
  /// Creates a position from an index, which must fit into 32 bits.
  public init(_ index: Int) { number = Int32(index) }
  /// The position as an index of an array.
  public var index: Int { Int(number) }
  /// Orders positions by index.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The position of a report in a list of price reports.
public typealias ReportPosition = Position<PriceReport>

/// The position of an offer in the list of all reports' offers.
public typealias OfferPosition = Position<OfferPrice>
