package import Amounts

/// The results of a number of offers.
package struct Outcome: Hashable, Sendable {
  /// The number that began.
  package var begun: Int64
  /// Offers whose time to convert has passed.
  package var mature: Int64
  /// Converted to the same product.
  package var sameProduct: Int64
  /// Converted to any product of the chain.
  package var anyProduct: Int64
  /// Converted, and the converting row was refunded.
  package var refunded: Int64
  /// Not converted yet, and still able to; Apple may be trying to charge.
  package var open: Int64
  /// Too late to convert.
  package var lapsed: Int64
  /// Whether these counts are final.
  package var isComplete: Bool
}

/// Offers of one product that began in one month.
package struct CohortFigures: Hashable, Sendable {
  /// `trial` or `intro`.
  package var offerKind: String
  /// `2021-08`, by the day on which the offers began.
  package var month: String
  /// The product of the offer.
  package var productID: String
  /// The results.
  package var outcome: Outcome
}

/// One offer, of one product in one currency.
package struct OfferFigures: Hashable, Sendable {
  /// `trial`, `intro`, `promo` or `offer_code`.
  package var offerKind: String
  /// The offer; `nil` for an introductory offer.
  package var offerID: String?
  /// The name of its campaign; `nil` if there is none.
  package var offerName: String?
  /// The product of the offer.
  package var productID: String
  /// The payment mode of its first row.
  package var paymentMode: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The results.
  package var outcome: Outcome
  /// The amount paid for the offer's own rows, known amounts only.
  package var paid: Milliunits
  /// The amount paid for the converting rows, known amounts only.
  package var convertedPaid: Milliunits
  /// Rows without an amount.
  package var unresolvedRows: Int64
}
