internal import Amounts
internal import Purchases

/// The result of a rule for a row.
enum RuleOutcome {
  /// The rule decides; later rules are not tried.
  case decided(Decision)
  /// The rule does not decide the row; the next rule is tried.
  case passed(PassReason)
}

/// An amount, or its bounds, with the evidence that shows them.
struct Decision {
  /// The amount of the whole quantity; `nil` if only bounds are known.
  var paid: Milliunits?
  var low: Milliunits
  var high: Milliunits?
  var status: PriceStatus
  /// The payment mode of the deciding price; `nil` if it has none.
  var mode: RowPaymentMode?
  /// The evidence id of the deciding report; `nil` without a report.
  var evidence: Int64?
  /// The position in the price history of the interval with this price; `nil` without an interval.
  var interval: Int?
  /// The position in the purchase history of the earlier row from which the amount or its bounds
  /// are derived.
  ///
  /// `nil` if no earlier row is used.
  var basis: RowPosition?
  /// The currency of the owner's correction or of a charge; `nil` for the row's currency.
  var currency: Currency?

  /// Creates a known amount: a unit price times the row's quantity.
  static func known(
    _ price: Milliunits, _ row: PricingContext, _ status: PriceStatus
  ) throws(AmountError) -> Decision {
    let paid = try price.multiplied(by: row.quantity)
    return Decision(paid: paid, low: paid, high: paid, status: status)
  }

  /// Creates bounds: two unit prices, each times the row's quantity.
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
  /// The observations of the purchase agree, so there is no conflict.
  case observationsAgree
  /// No signed transaction of the purchase has a price.
  case noSignedPrice
  /// The signed price has more decimals than its currency, or its currency never existed.
  case impossibleSignedPrice
  /// Apple's reports prove no price for the row's cell, or the pipeline has no such reports.
  case noProofByReports
  /// Apple's reports have several prices in the row's cell.
  case applesPricesDiffer
  /// Apple's reports have one price in the row's cell, but the storefront is uncertain.
  ///
  /// A later rule decides the amount.
  case storefrontNotSure
  /// A grace period, billing retry or gap near the row shows that Apple may have charged on a
  /// later day.
  ///
  /// The payment may then be in the report of that day.
  case chargedLate
  /// Apple may have charged the row 2 to 16 days after the purchase.
  ///
  /// In these days Apple charged the price that the rules after `apple_report` find. Apple also has
  /// more units than there are revenue rows, near the purchase or near that charge.
  case mayBeLate
  /// The price of the one-time purchase is only in Apple's Sales report, and a later rule decides.
  case priceNotKnown
  /// The owner has no correction for this purchase.
  case noCorrection
  /// The owner's correction is in another currency than the purchase.
  case correctionInOtherCurrency
  /// The owner's correction gives an amount, but the row is free.
  case correctionOfFreeRow
  /// A believed report makes the amount exact without Apple's reports.
  case exactWithoutReports
  /// The row is not free: the rule needs a trial, or an offer with the trial flag.
  case notFree
  /// No charge has the row's transaction id.
  case noCharge
  /// Two charges of the purchase state different amounts.
  case chargesDiffer
  /// The charge is 50 times away from the price in force.
  case chargeTooFar
  /// No report has the row's transaction id.
  case noReportNamesIt
  /// Reports have the row's transaction id, but none is believed or states the charged amount.
  case namingReportsNotBelieved(count: Int)
  /// A report of the purchase and the household's nearest export record have different storefronts.
  ///
  /// Other evidence does not settle the storefront.
  case placeContested
  /// The prices of the storefront changed by a power of ten, and nothing shows the reason.
  case unitDoubted
  /// Believed reports have the row's transaction id, but no price of the row's kind.
  case namingReportsLackPrice(count: Int)
  /// Believed reports have the row's transaction id, but show the price of another length.
  ///
  /// The row pays an instalment and the reports show the price of the whole period, or vice versa.
  case reportOfOtherLength
  /// In the report with the row's transaction id, the introductory price is equal to the regular
  /// price.
  case offerAtRegularPrice
  /// The report with the transaction id of the renewal has a higher price than the subscriber pays.
  case renewalKeepsPrice
  /// The chain's first rows are missing, and the subscriber may pay less than the reported price.
  case firstRowsMissing
  /// The report with the row's transaction id was made more than a day after the purchase, and
  /// shows the price of the day on which it was made.
  case reportOfLaterPrice
  /// The report with the row's transaction id was made more than a day after the purchase, and its
  /// price differs from the earlier rows of the offer.
  case offerKeepsPrice
  /// The row belongs to no offer period.
  case notAnOffer
  /// No earlier row of the offer period has the row's product and currency, and a known price.
  case noEarlierRowOfOffer
  /// The row's kind is not regular.
  case notRegular
  /// No earlier regular row of the chain has the row's product and currency, and a known price.
  case noEarlierRenewal
  /// An earlier regular row has a known price, but a lapse separates it from the row.
  case lapseBetween
  /// Only Apple's reports have the price of the earlier regular rows, and they show that no one
  /// paid it at the time of the row.
  case earlierPricePaidByNobody
  /// The price of the earlier regular row is only inferred from Apple's reports, and
  /// `customer_report` or `price_history` finds a price.
  case earlierPriceInferred
  /// The currency of the row is unknown.
  case currencyUnknown
  /// No believed report near the purchase has a price of the row's kind.
  ///
  /// The reports of the customer, the chain and the household were searched.
  case noReportOfCustomer
  /// The price changed between the nearest report and the purchase.
  case priceChangedSinceReport
  /// No report shows a price of the row's kind at the time of the row.
  case noPriceInForce
  /// The row lies between the last report of a price and the first report of the next price.
  case betweenTwoPrices
  /// The storefront is unknown, and the storefronts of the currency have different prices.
  case priceListsDiffer
  /// The known offers have another length or payment mode than the row.
  case paymentModeDoesNotFit
  /// Two different prices fit the row.
  case twoPricesFit
  /// The subscription began at an older price, which the subscriber may keep.
  case mayKeepPrice
  /// No hosted service states an amount for the purchase.
  case noServiceAmount
  /// The row is an offer, whose amount a hosted service only infers.
  case serviceInfersOffers
  /// The service states the amount in another currency than that of the storefront.
  ///
  /// Or the storefront is unknown, and the amount is no list price, so that it may be converted.
  case serviceConverts
  /// The row has no offer id, or is neither an offer code nor a promotional offer.
  case noOfferID
  /// The catalogue does not list the offer in the row's currency.
  case notInCatalogue
  /// The catalogue has no prices for this kind of row.
  case kindHasNoListPrice
  /// The catalogue lists no price in the row's currency at the time of the row.
  case noListPrice
}
