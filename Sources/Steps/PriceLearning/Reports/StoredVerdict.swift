public import Amounts
public import PurchaseModel

/// The part of a verdict on a report that rows of facts depend on.
///
/// If it changes, the rows of the household that uses the report are decided again.
///
/// Example: *believed, confirmed, compared with 9.99, made in Poland*.
public struct StoredVerdict: Hashable, BitwiseCopyable, Sendable {
  /// The verdict on the report.
  public var verdict: Verdict
  /// The regular price with which the report was compared, in milliunits; `nil` if there was none.
  public var reference: Milliunits?
  /// The storefront in which the report was made; `nil` if unknown.
  public var place: Storefront?
  /// Whether other voters confirm the report's regular price.
  public var isConfirmed: Bool
  /// Whether the report decides only the purchase that it names, because others outnumber it.
  public var isOutnumbered = false
  /// The instalment for which the report's price pays; `nil` for a whole period.
  public var instalment: Instalment?

  /// Extracts the part of a verdict that rows of facts depend on.
  public init(_ reportVerdict: ReportVerdict) {
    verdict = reportVerdict.verdict
    reference = reportVerdict.reference
    place = reportVerdict.place
    isConfirmed = reportVerdict.isConfirmed
    isOutnumbered = reportVerdict.isOutnumbered
    instalment = reportVerdict.instalment
  }

  /// Creates a stored verdict from its fields.
  public init(
    verdict: Verdict, reference: Milliunits?, place: Storefront?, isConfirmed: Bool,
    isOutnumbered: Bool = false, instalment: Instalment? = nil
  ) {
    self.isOutnumbered = isOutnumbered
    self.instalment = instalment
    self.verdict = verdict
    self.reference = reference
    self.place = place
    self.isConfirmed = isConfirmed
  }
}
