/// The amounts of some households.
public struct PaidAmountBook: Sendable {
  /// One for each revenue row of the purchase book, at the same position.
  public var amounts: [PaidAmount] = []
  /// The questions that only the catalogue can settle, by chain, product, currency and time.
  public var questions: [OpenQuestion] = []
  /// The rows that the owner corrected, by row within each chain.
  public var corrected: [CorrectedRow] = []

  /// An empty book.
  public init() {}
}

/// A row that the owner corrected, and the amount that the rules decide without that.
public struct CorrectedRow: Hashable, Sendable {
  /// The row's position in the purchase book.
  public var row: Int
  /// The amount without the correction.
  public var without: PaidAmount
}
