/// The amounts of some households.
public struct PaidAmountBook: Sendable {
  /// One for each revenue row of the purchase book, at the same position.
  public var amounts: [PaidAmount] = []
  /// The questions that only the catalogue can settle, by chain, product, currency and time.
  public var questions: [OpenQuestion] = []

  /// An empty book.
  public init() {}
}
