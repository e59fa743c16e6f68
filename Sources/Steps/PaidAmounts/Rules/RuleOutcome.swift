internal import Amounts
internal import CivilTime
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// The answer of a rule for a row.
enum RuleOutcome {
  /// The rule decides; later rules are not tried.
  case decided(Decision)
  /// The rule does not apply.
  case passed(PassReason)
}

/// An amount with the evidence behind it.
struct Decision {
  /// For the whole quantity; `nil` if only bounds are known.
  var paid: Milliunits?
  var low: Milliunits
  var high: Milliunits?
  var status: PriceStatus
  /// The payment mode of the deciding price; `nil` if it states none.
  var mode: RowPaymentMode?
  /// The report behind it, by its evidence id.
  var evidence: Int64?
  /// The interval whose price was taken, by its position in the history.
  var interval: Int?
  /// A position in the purchase book.
  var basis: RowPosition?
  /// The developer's proceeds by Apple's reports, for the whole quantity.
  var proceeds: SalesReportTotals.Proceeds?
  /// The currency of the amounts, where it is not the row's own.
  var currency: Currency?

  /// A known amount: a unit price times the row's quantity.
  static func known(
    _ price: Milliunits, _ row: PricingContext, _ status: PriceStatus
  ) throws(AmountError) -> Decision {
    let paid = try price.multiplied(by: row.quantity)
    return Decision(paid: paid, low: paid, high: paid, status: status)
  }

  /// Bounds of a unit price times the row's quantity.
  static func between(_ low: Milliunits, _ high: Milliunits?, _ row: PricingContext)
    throws(AmountError) -> Decision
  {
    var decision = Decision(
      paid: nil, low: try low.multiplied(by: row.quantity), high: nil, status: .unresolved)
    if let high { decision.high = try high.multiplied(by: row.quantity) }
    return decision
  }
}

/// The reason why a rule did not decide a row.
public enum PassReason: Hashable, Sendable {
  /// The observations of the purchase agree.
  case observationsAgree
  /// No signed transaction of the purchase carries a price.
  case noSignedPrice
  /// The signed price has more decimals than its currency, or a currency that never was.
  case impossibleSignedPrice
  /// Apple's reports prove no price of the row's cell, or were not read.
  case noProofByReports
  /// Apple's reports have several prices in the row's cell.
  case applesPricesDiffer
  /// Apple's reports have one price in the row's cell, but the customer may have been elsewhere,
  /// and a later rule knows the amount.
  case storefrontNotSure
  /// The payment may have been late, so that Apple's reports may have it on a later day.
  case chargedLate
  /// Apple has spare units in the cell, and charged the price that other rules decide some days
  /// later.
  case mayBeLate
  /// Only Sales has the one-time purchase, at a price that nothing else knows, and a later rule
  /// decides.
  case priceNotKnown
  /// The owner corrects no amount of this purchase.
  case noCorrection
  /// The owner's amount is in another currency than the purchase.
  case correctionInOtherCurrency
  /// The owner gives an amount for a free trial.
  case correctionOfFreeRow
  /// A believed report makes the amount exact without them.
  case exactWithoutReports
  /// The trial flag is not true, or the kind is another.
  case notFree
  /// No report names the row.
  case noReportNamesIt
  /// Reports name the row, but none is believed.
  case namingReportsNotBelieved(count: Int)
  /// A report that names the row and the record around the purchase name different storefronts, and
  /// nothing else shows which is right.
  case placeContested
  /// The prices of the storefront are in another unit since some day, and nothing shows why.
  case unitDoubted
  /// Believed reports name the row, but none has the price of its kind.
  case namingReportsLackPrice(count: Int)
  /// The report that names the row has the regular price as an introductory price.
  case offerAtRegularPrice
  /// The report that names the row, a renewal, has a higher price than the subscriber pays.
  case renewalKeepsPrice
  /// The row belongs to no offer period.
  case notAnOffer
  /// No earlier row of the offer period has this product and currency and a known price.
  case noEarlierRowOfOffer
  /// The row's kind is not regular.
  case notRegular
  /// No earlier regular row of the chain has this product and currency and a known price.
  case noEarlierRenewal
  /// One has, but a lapse lies between.
  case lapseBetween
  /// The row's currency is not known.
  case currencyUnknown
  /// Neither the customer nor the chain nor the household has a believed report with such a price
  /// near enough.
  case noReportOfCustomer
  /// The price changed between the nearest report and the purchase.
  case priceChangedSinceReport
  /// No report shows such a price for that time.
  case noPriceInForce
  /// The price changed about then: the row lies after the last report of a price and before the
  /// first of the next.
  case betweenTwoPrices
  /// The storefront is not known, and those of the currency have different prices.
  case priceListsDiffer
  /// Prices are known, but for offers of another length.
  case paymentModeDoesNotFit
  /// Two prices fit the row and differ.
  case twoPricesFit
  /// The row has no offer id, or is neither an offer code nor a promotional offer.
  case noOfferID
  /// The catalogue lists no such offer in this currency.
  case notInCatalogue
  /// The catalogue's prices do not hold for this kind of row.
  case kindHasNoListPrice
  /// The catalogue lists no price in force in this currency.
  case noListPrice
}
