public import Purchases

/// The decided amounts of a batch of households.
public struct PaidAmountResults: Sendable {
  /// The amount of each revenue row; indices are the rows' positions in the purchase history.
  public var amounts: [PaidAmount] = []
  /// The price rises that the catalogue does not explain, in the order of the chains.
  ///
  /// A rise that affects several chains has one element per chain.
  public var unexplainedRises: [UnexplainedPriceRise] = []
  /// The rows that the owner corrected, sorted by row within each chain.
  public var corrected: [CorrectedRow] = []
  /// The chains whose amounts depend on Apple's reports of days after the purchase.
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
