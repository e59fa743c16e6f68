internal import CivilTime

/// The numbers of a product's chains by the lengths of their regular rows.
///
/// A product with chains of a year and chains of a month may be a year that can be paid by the
/// month. Rows with a changed length are not counted. A chain with rows of two lengths counts
/// twice.
public struct ChainLengths: Hashable, Sendable {
  /// The number of chains with a regular row of a known length.
  public var all: Int
  /// The number of chains with a regular row of a month.
  public var monthly: Int
  /// The number of chains with a regular row of a year.
  public var yearly: Int

  /// Creates numbers from their fields.
  public init(all: Int = 0, monthly: Int = 0, yearly: Int = 0) {
    self.all = all
    self.monthly = monthly
    self.yearly = yearly
  }

  /// The numbers of one chain with rows of a length.
  init(of period: Period) {
    self.init(all: 1, monthly: period == .month ? 1 : 0, yearly: period == .year ? 1 : 0)
  }

  /// Whether the product is sold by the year: a twentieth of its chains have a row of a year.
  var isYearly: Bool { yearly > 0 && 20 * yearly >= all }

  /// Whether some chains have rows of a month, and some have rows of a year.
  var isMixed: Bool { monthly > 0 && yearly > 0 }

  static func + (left: ChainLengths, right: ChainLengths) -> ChainLengths {
    ChainLengths(
      all: left.all + right.all, monthly: left.monthly + right.monthly,
      yearly: left.yearly + right.yearly)
  }
}
