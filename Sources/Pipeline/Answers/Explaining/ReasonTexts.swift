internal import CivilTime
internal import PaidAmounts

/// The reasons why a rule did not decide, as texts.
enum PassReasonText {
  static func text(_ reason: PassReason) -> String {
    switch reason {
    case .observationsAgree: "all observations of the purchase agree"
    case .noSignedPrice: "no signed transaction of the purchase has a price"
    case .impossibleSignedPrice:
      "the signed price has impossible decimals or an impossible currency"
    case .noProofByReports:
      "Apple's reports were not read, or prove no price for this day, product and storefront"
    case .applesPricesDiffer:
      "Apple's reports show several prices for this day, product and storefront"
    case .storefrontNotSure:
      "no evidence near the purchase shows that the customer was in that storefront; a later rule "
        + "decides"
    case .mayBeLate:
      "the payment may have been late: Apple's reports have more units than the facts have rows, "
        + "and show a charge of the usual price some days later"
    case .chargedLate:
      "the payment may have been late, so Apple's reports may have it on a later day"
    case .priceNotKnown:
      "of all sources, only one of Apple's reports has this price; a later rule decides"
    case .noCorrection: "no correction names the purchase"
    case .correctionInOtherCurrency: "the correction is in another currency than the purchase"
    case .correctionOfFreeRow: "the correction gives an amount, but the purchase is a free trial"
    case .exactWithoutReports: "a price report with the transaction id gives the exact amount"
    case .notFree: "the receipt does not mark the purchase as free"
    case .noCharge: "no charge has the transaction id of the purchase"
    case .chargesDiffer: "the charges with the transaction id state different amounts"
    case .chargeTooFar: "the charge is 50 times away from the price in force"
    case .noReportNamesIt: "no price report has the transaction id of the purchase"
    case .namingReportsNotBelieved(let count):
      count == 1
        ? "the price report with the purchase's transaction id is not believed"
        : "\(count) price reports have the transaction id, but none of them is believed"
    case .namingReportsLackPrice(let count):
      count == 1
        ? "the believed report with the transaction id lacks the price of this kind of row"
        : "\(count) believed reports have the transaction id, but lack the price of this kind of row"
    case .placeContested:
      "the price reports and export records around the purchase have different storefronts, and "
        + "nothing else shows which is right"
    case .unitDoubted:
      "from some day on, most price reports of the storefront use another unit of money, and "
        + "nothing shows whether the currency or the app changed"
    case .reportOfOtherLength:
      "the report with the transaction id shows the price of another length: the purchase pays an "
        + "instalment, or the report shows the price of one"
    case .offerAtRegularPrice:
      "the report gives the regular price as the introductory price"
    case .renewalKeepsPrice:
      "the report with the transaction id shows a higher price than this subscriber pays"
    case .firstRowsMissing:
      "the first rows of the subscription are not in the exports, so the subscriber may pay less "
        + "than the reported price"
    case .reportOfLaterPrice:
      "the report with the transaction id was made later, and shows the price of that later day"
    case .offerKeepsPrice:
      "the report with the transaction id was made later, and the offer began at another price"
    case .notAnOffer: "the purchase is not part of an offer"
    case .noEarlierRowOfOffer: "no earlier row of the offer has a known price"
    case .notRegular: "the purchase is not a regular row"
    case .noEarlierRenewal: "no earlier regular row of the chain has a known price"
    case .lapseBetween: "the subscription lapsed after the last row with a known price"
    case .earlierPricePaidByNobody:
      "only Apple's reports have the last known price, and near the purchase they show no charge at it"
    case .earlierPriceInferred:
      "the last known price is only inferred from Apple's reports, and a later rule finds a price"
    case .currencyUnknown: "the currency is not known"
    case .noReportOfCustomer:
      "the customer sent no believed report of this kind of price near the purchase"
    case .priceChangedSinceReport: "the price changed between the nearest report and the purchase"
    case .noPriceInForce: "no report shows this kind of price for that time"
    case .betweenTwoPrices:
      "the price changed around that time: the purchase is after the last report of one price "
        + "and before the first report of the next"
    case .priceListsDiffer:
      "the storefront is not known, and the storefronts of the currency have different prices"
    case .paymentModeDoesNotFit:
      "the known prices are of offers with another length or payment mode"
    case .twoPricesFit: "two different prices fit the purchase"
    case .mayKeepPrice: "the subscription began at an older price, which it may keep"
    case .noServiceAmount: "no service's export states an amount for the purchase"
    case .serviceInfersOffers:
      "a service only infers the amounts of offers and instalments"
    case .serviceConverts:
      "the service's amount is not in the currency of the storefront, or may be converted: it is no "
        + "list price"
    case .noOfferID:
      "the purchase has no offer id, or is neither an offer code nor a promotional offer"
    case .notInCatalogue: "the catalogue does not list the offer in this currency"
    case .kindHasNoListPrice: "list prices do not apply to this kind of row"
    case .noListPrice: "the catalogue lists no price in this currency at that time"
    }
  }
}

/// Formats the time between a purchase and the evidence for a price, such as a price report.
enum DistanceText {
  /// Formats a time in whole seconds, minutes, hours or days; uses the largest unit that fits.
  ///
  /// Examples: `5 s after the purchase`, `3 days before the purchase`.
  static func text(_ distance: Milliseconds) -> String {
    let seconds = distance.magnitude.rawValue / 1000
    guard seconds > 0 else { return "at the purchase" }
    let length =
      switch seconds {
      case ..<60: "\(seconds) s"
      case ..<3600: "\(seconds / 60) min"
      case ..<86_400: "\(seconds / 3600) h"
      case ..<172_800: "1 day"
      default: "\(seconds / 86_400) days"
      }
    return "\(length) \(distance.rawValue < 0 ? "before" : "after") the purchase"
  }
}
