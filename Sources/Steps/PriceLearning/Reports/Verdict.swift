public import Amounts
public import PurchaseModel

/// The verdict on a report: Docs/rules.md, "Which reports are believed".
public enum Verdict: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// The price is plausible by the reports of others.
  case believed
  /// Believed, because there is nothing to compare it with.
  case noReference = "no_reference"
  /// The price is implausible.
  case outlier
  /// The price is wrong by a factor of 100 or 1,000: another unit.
  case unitError = "unit_error"
  /// The currency is not reported by others in the same storefront around that time.
  case currencyMismatch = "currency_mismatch"
  /// Many others report the price in force, and contradict this price.
  case outvoted
  /// The price is plausible, but its voter sent an unbelieved report within 30 days.
  case distrusted
  /// The charge for a purchase that is not regular or unknown, so it is not a regular price.
  ///
  /// It decides only the purchase with its transaction id.
  case charged
  /// The record around the report's purchase has a storefront with other prices.
  ///
  /// Neither proves where the purchase was made: ``PlacedReport/rivalPlace``.
  case contestedPlace = "contested_place"
  /// The transaction id belongs to a purchase of another product, and that subscription never had
  /// the report's product.
  case otherProduct = "other_product"
  /// Made long before the first purchase of its product, or in the future.
  case impossibleDate = "impossible_date"
  /// More decimals than the currency has, or a currency that never existed.
  case impossibleAmount = "impossible_amount"

  /// Whether the report may decide amounts.
  public var isBelieved: Bool { self == .believed || self == .noReference }
}

/// The verdict on one report with its reasons.
public struct ReportVerdict: Hashable, BitwiseCopyable, Sendable {
  /// The verdict on the report.
  public var verdict: Verdict
  /// The regular price of the comparison, in milliunits; `nil` if there is none.
  public var reference: Milliunits?
  /// The storefront in which the report was made; `nil` if unknown.
  public var place: Storefront?
  /// Whether others confirm its regular price; only then can it make an amount exact.
  public var isConfirmed: Bool
  /// The price in force and its voters, for an outvoted report.
  public var outvoting: Outvoting?
  /// The evidence id of the voter's unbelieved report, for a distrusted report.
  public var distrustedFor: Int64?

  /// The numbers of voters that outvoted a report, within 30 days on either side.
  public struct Outvoting: Hashable, BitwiseCopyable, Sendable {
    /// The regular price in force at the report's time and place.
    public var priceInForce: Milliunits
    /// The number of other voters for the price in force.
    public var inForce: Int32
    /// The number of voters for the outvoted price, including its own.
    public var same: Int32
  }

  /// Whether the report may decide amounts and vote for prices.
  ///
  /// A report without a reference stores the price of the only other customer if both differ
  /// greatly: then neither is believed until a third customer reports.
  public var isBelieved: Bool {
    verdict.isBelieved && !(verdict == .noReference && reference != nil)
  }

  /// Creates an undecided verdict.
  public init(place: Storefront?) {
    verdict = .noReference
    self.place = place
    isConfirmed = false
  }
}
