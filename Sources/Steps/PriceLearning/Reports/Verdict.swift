public import Amounts
public import PurchaseModel

/// The verdict on a report: Docs/rules.md, "Which reports are believed".
public enum Verdict: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// The price is plausible, compared with the reports of others.
  case believed
  /// The report is believed, because there is no price to compare it with.
  case noReference = "no_reference"
  /// The price is implausible, compared with other reports, the catalogue or other currencies.
  case outlier
  /// The price is wrong by a factor of 100 or 1,000: another unit.
  case unitError = "unit_error"
  /// Others in the same storefront report another currency around the time of the report.
  case currencyMismatch = "currency_mismatch"
  /// Enough other voters report the price in force, which differs from the report's price.
  case outvoted
  /// The price is plausible, but the report's voter sent an unbelieved report within 30 days, or
  /// sends amounts in US dollars with other currencies.
  case distrusted
  /// The report has the amount charged for a transaction, but this amount may not be the regular
  /// price.
  ///
  /// Its purchase is not in the exports, or was not at the regular price, or may keep an old price.
  /// The report decides only the purchase with its transaction id; it is not evidence of a regular
  /// price.
  case charged
  /// The App Store does not use the report's currency in the report's storefront, but the price is
  /// in force in this currency.
  ///
  /// The storefront is wrong, such as the country of an IP address. The report decides only the
  /// purchase with its transaction id.
  case wrongPlace = "wrong_place"
  /// The household's export record nearest to the purchase shows a storefront with other prices.
  ///
  /// Neither storefront is proven: see ``PlacedReport/rivalPlace``.
  case contestedPlace = "contested_place"
  /// The report's transaction id belongs to a purchase of another product.
  case otherProduct = "other_product"
  /// The report has an impossible time: see ``SaleTimes``.
  case impossibleDate = "impossible_date"
  /// The price has more decimals than the currency, or the currency never existed.
  case impossibleAmount = "impossible_amount"
  /// Another charge of the same transaction states another amount, so neither decides.
  case contestedCharge = "contested_charge"
  /// The report is of a purchase in another store, or of a StoreKit test.
  ///
  /// Its transaction id has not the form of the App Store's, and no purchase has this id.
  case otherStore = "other_store"

  /// Whether the report may decide amounts.
  public var isBelieved: Bool { self == .believed || self == .noReference }
}

/// The verdict on one report with its reasons.
public struct ReportVerdict: Hashable, BitwiseCopyable, Sendable {
  /// The verdict on the report.
  public var verdict: Verdict
  /// The regular price with which the report was compared, in milliunits; `nil` if there was none.
  public var reference: Milliunits?
  /// The storefront in which the report was made; `nil` if unknown.
  public var place: Storefront?
  /// Whether other voters confirm the report's regular price; only then can the report make an
  /// amount exact.
  public var isConfirmed: Bool
  /// Whether other voters report the price in force, too few to outvote the report.
  ///
  /// Then it decides only the purchase that it names.
  public var isOutnumbered = false
  /// The instalment for which the report's price pays; `nil` for a whole period.
  public var instalment: Instalment?
  /// The price in force and the numbers of voters, if the report is outvoted; else `nil`.
  public var outvoting: Outvoting?
  /// The evidence id of the unbelieved report because of which this report is distrusted; else
  /// `nil`.
  ///
  /// Both reports have the same voter.
  public var distrustedFor: Int64?

  /// The reason why a report is outvoted: the numbers of voters for its price and for the price in
  /// force.
  ///
  /// The voters sent reports at most 30 days before or after the report. If the report's price
  /// equals the product's price in US dollars, the limit is 90 days.
  public struct Outvoting: Hashable, BitwiseCopyable, Sendable {
    /// The regular price in force at the time and storefront of the report.
    public var priceInForce: Milliunits
    /// The number of other voters for the price in force.
    public var inForce: Int32
    /// The number of voters for the outvoted price, including the report's own voter.
    public var same: Int32
  }

  /// Whether the report may decide amounts and vote for prices.
  ///
  /// Also false if there is only one other customer, who reports a very different price. Then
  /// neither report is believed until a third customer reports.
  public var isBelieved: Bool {
    verdict.isBelieved && !(verdict == .noReference && reference != nil)
  }

  /// Creates the verdict of a report that is not compared yet: ``Verdict/noReference``.
  public init(place: Storefront?) {
    verdict = .noReference
    self.place = place
    isConfirmed = false
  }
}
