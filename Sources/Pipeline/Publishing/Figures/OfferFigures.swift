internal import Amounts

/// The results of a number of offers.
struct Outcome: Hashable, Sendable {
  /// The number that began.
  var begun: Int64
  /// Those whose time to convert has passed.
  var mature: Int64
  /// Converted to the same product.
  var sameProduct: Int64
  /// Converted to any product of the chain.
  var anyProduct: Int64
  /// Converted, and the converting row was refunded.
  var refunded: Int64
  /// Not converted yet, and still able to; Apple may be trying to charge.
  var open: Int64
  /// Too late to convert.
  var lapsed: Int64
  /// Whether these counts are final.
  var isComplete: Bool

  /// Describes an outcome.
  init(
    begun: Int64, mature: Int64, sameProduct: Int64, anyProduct: Int64, refunded: Int64,
    open: Int64, lapsed: Int64, isComplete: Bool
  ) {
    self.begun = begun
    self.mature = mature
    self.sameProduct = sameProduct
    self.anyProduct = anyProduct
    self.refunded = refunded
    self.open = open
    self.lapsed = lapsed
    self.isComplete = isComplete
  }
}

/// Offers of one product that began in one month.
struct CohortFigures: Hashable, Sendable {
  /// `trial` or `intro`.
  var offerKind: String
  /// `2021-08`, by the day on which the offers began.
  var month: String
  /// The product of the offer.
  var productID: String
  /// The results.
  var outcome: Outcome

  /// Describes a cohort.
  init(offerKind: String, month: String, productID: String, outcome: Outcome) {
    self.offerKind = offerKind
    self.month = month
    self.productID = productID
    self.outcome = outcome
  }
}

/// One offer, of one product in one currency.
struct OfferFigures: Hashable, Sendable {
  /// `trial`, `intro`, `promo` or `offer_code`.
  var offerKind: String
  /// The offer; `nil` for an introductory one.
  var offerID: String?
  /// The name of its campaign; `nil` without one.
  var offerName: String?
  /// The product of the offer.
  var productID: String
  /// The payment mode of its first row.
  var paymentMode: String
  /// The currency; `nil` if nothing tells it.
  var currency: Currency?
  /// The results.
  var outcome: Outcome
  /// The amount paid for the offer's own rows, known amounts only.
  var paid: Milliunits
  /// The amount paid for the converting rows, known amounts only.
  var convertedPaid: Milliunits
  /// Rows without an amount.
  var unresolvedRows: Int64

  /// Describes an offer.
  init(
    offerKind: String, offerID: String?, offerName: String? = nil, productID: String,
    paymentMode: String, currency: Currency?, outcome: Outcome, paid: Milliunits,
    convertedPaid: Milliunits, unresolvedRows: Int64
  ) {
    self.offerKind = offerKind
    self.offerID = offerID
    self.offerName = offerName
    self.productID = productID
    self.paymentMode = paymentMode
    self.currency = currency
    self.outcome = outcome
    self.paid = paid
    self.convertedPaid = convertedPaid
    self.unresolvedRows = unresolvedRows
  }
}
