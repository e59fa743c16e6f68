public import Amounts
public import PurchaseModel

/// The verdict on a report: Docs/rules.md, "Which reports are believed".
public enum Verdict: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// Plausible against the reports of others.
  case believed
  /// Believed for want of anything to compare with.
  case noReference = "no_reference"
  /// Implausible.
  case outlier
  /// Implausible by a factor of 100 or 1,000: another unit.
  case unitError = "unit_error"
  /// In a currency that others in the same storefront do not report around that time.
  case currencyMismatch = "currency_mismatch"
  /// Contradicted by many others who report the price in force.
  case outvoted
  /// Plausible, but its voter sent a report within 30 days that is not believed.
  case distrusted
  /// The amount charged for a purchase that is not regular, or not known: no regular price.
  ///
  /// It decides the purchase that it names, and nothing else.
  case charged
  /// It names a purchase, and the record around that purchase names a storefront with other prices.
  ///
  /// Neither settles where the purchase was made: ``PlacedReport/rivalPlace``.
  case contestedPlace = "contested_place"
  /// It names a purchase of another product, whose subscription never was of its product.
  case otherProduct = "other_product"
  /// Made long before its product was first bought, or in the future.
  case impossibleDate = "impossible_date"
  /// More decimals than its currency has, or a currency that never was.
  case impossibleAmount = "impossible_amount"

  /// Whether the report may decide amounts.
  public var isBelieved: Bool { self == .believed || self == .noReference }
}

/// The verdict on one report: its verdict and the reasons.
public struct ReportVerdict: Hashable, BitwiseCopyable, Sendable {
  /// The verdict.
  public var verdict: Verdict
  /// The regular price it was compared with, in milliunits; `nil` if there is none.
  public var reference: Milliunits?
  /// The storefront in which the report was made; `nil` if unknown.
  public var place: Storefront?
  /// Whether others confirm its regular price; only then can it make an amount exact.
  public var isConfirmed: Bool
  /// For an outvoted report: the price in force, and how many report which.
  public var outvoting: Outvoting?
  /// For a distrusted report: the evidence id of its voter's report that is not believed.
  public var distrustedFor: Int64?

  /// The count that outvoted a report, within 30 days either side.
  public struct Outvoting: Hashable, BitwiseCopyable, Sendable {
    /// The regular price in force at the report's time and place.
    public var priceInForce: Milliunits
    /// Other voters who report that price.
    public var inForce: Int32
    /// Voters who report the outvoted price, its own included.
    public var same: Int32
  }

  /// Whether the report may decide amounts and vote for prices.
  ///
  /// A report without a reference keeps the price of the only other customer where the two are far
  /// apart: then neither is believed until a third one reports.
  public var isBelieved: Bool {
    verdict.isBelieved && !(verdict == .noReference && reference != nil)
  }

  /// A verdict that still has to be reached.
  public init(place: Storefront?) {
    verdict = .noReference
    self.place = place
    isConfirmed = false
  }
}
