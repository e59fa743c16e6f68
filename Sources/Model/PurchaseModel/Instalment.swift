public import CivilTime

/// One of several payments for a period of a subscription.
///
/// Example: a year that is paid in twelve months has `12 × P1M`.
public struct Instalment: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of payments in the product's period; at least 3.
  public var count: Int32
  /// The length for which one payment pays.
  public var length: Period

  /// Creates an instalment from its fields.
  public init(count: Int32, length: Period) {
    self.count = count
    self.length = length
  }

  /// Orders instalments by length, then number.
  public static func < (left: Instalment, right: Instalment) -> Bool {
    (left.length, left.count) < (right.length, right.count)
  }
}
