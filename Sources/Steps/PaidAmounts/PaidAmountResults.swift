public import Purchases

/// The amounts of some households.
public struct PaidAmountResults: Sendable {
  /// The amount of each revenue row; indices are the rows' positions in the purchase history.
  public var amounts: [PaidAmount] = []
  /// The renewals for which the catalogue must explain a price rise.
  ///
  /// Sorted by chain, product, currency and time.
  public var unexplainedRises: [UnexplainedPriceRise] = []
  /// The rows that the owner corrected, sorted by row within each chain.
  public var corrected: [CorrectedRow] = []
  /// The chains with an amount that depends on charges in Apple's reports of later days.
  public var onLaterCharges: Set<ChainPosition> = []

  /// Creates results without amounts.
  public init() {}
}

/// A row that the owner corrected, and its amount without the correction.
public struct CorrectedRow: Hashable, Sendable {
  /// The position of the row in the purchase history.
  public var row: Int
  /// The amount that the rules would decide without the correction.
  public var without: PaidAmount
}
