public import Amounts
public import CivilTime
internal import PurchaseModel

/// What is thought of a report (RULES section 3, "Plausibility").
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Plausible against what others reported.
  case believed
  /// Believed for want of anything to compare with.
  case noReference = "no_reference"
  /// Implausible.
  case outlier
  /// Implausible by a factor of 100 or 1,000: another unit.
  case unitError = "unit_error"
  /// In a currency nobody else reports for the storefront.
  case currencyMismatch = "currency_mismatch"

  /// Whether the report may decide amounts.
  public var isBelieved: Bool { self == .believed || self == .noReference }
}

/// A report with what the rules think of it.
public struct JudgedReport: Hashable, Sendable {
  /// The report's position in ``SightingSet/reports``.
  public var report: Int32
  /// What is thought of it.
  public var verdict: Verdict
  /// The price it was compared with.
  public var reference: Milliunits?
  /// The purchase it names, by its position in the purchase book, excluded ones included; `nil`
  /// where it names none, or one of another product.
  public var purchase: Int32?
  /// Its time: of the purchase it names, else when it was reported.
  public var time: Instant
}

extension JudgedReport {
  /// How a report stands among reports of one moment, which two that name one purchase are: the
  /// believed one before others, then the one made nearest to that moment (ties: the earlier).
  ///
  /// Milliseconds, doubled; the smaller is to be preferred.
  func doubt(of report: PriceReport) -> Int64 {
    let distance = report.reportedAt.since(time)
    let doubled = min(distance.magnitude.rawValue, 1 << 60) * 2 + (distance.rawValue > 0 ? 1 : 0)
    return verdict.isBelieved ? doubled : doubled | 1 << 62
  }
}
