public import PriceLearning

/// All amounts and the evidence behind them.
public struct PaidAmountBook: Sendable {
  /// One for each revenue row of the purchase book, at the same position.
  public var amounts: [PaidAmount] = []
  /// Every report that may decide something, in the order of ``SightingSet/reports``; reports of
  /// sandbox purchases are left out.
  public var reports: [JudgedReport] = []
  /// The storefronts with price lists of their own.
  public var apart: StorefrontsApart
  /// The price histories, by product, currency, kind and start.
  public var intervals: [PriceInterval] = []
  /// What only the catalogue can settle, by product, currency and day.
  public var questions: [PriceChangeQuestion] = []

  /// An empty book.
  public init() { apart = StorefrontsApart() }
}
