public import Amounts
public import PurchaseModel

/// The part of a judgement that decides rows: a household with another one is decided again.
///
/// For example *believed, confirmed, compared with 9.99, made in Poland*.
public struct Opinion: Hashable, BitwiseCopyable, Sendable {
  /// The verdict.
  public var verdict: Verdict
  /// The regular price it was compared with, in milliunits; `nil` if there is none.
  public var reference: Milliunits?
  /// The storefront in which the report was made; `nil` if unknown.
  public var place: Storefront?
  /// Whether others confirm its regular price.
  public var isConfirmed: Bool

  /// Takes from a judgement the part that decides rows.
  public init(_ judgement: Judgement) {
    verdict = judgement.verdict
    reference = judgement.reference
    place = judgement.place
    isConfirmed = judgement.isConfirmed
  }

  /// Creates a stored opinion from its fields.
  public init(verdict: Verdict, reference: Milliunits?, place: Storefront?, isConfirmed: Bool) {
    self.verdict = verdict
    self.reference = reference
    self.place = place
    self.isConfirmed = isConfirmed
  }
}
