package import Amounts

/// The numbers of offers that converted, lapsed or are still open.
package struct Outcome: Hashable, Sendable {
  /// The number of offer periods that began.
  package var begun: Int64
  /// The number of mature offers: the time in which they could convert is over.
  package var mature: Int64
  /// The number of offers that converted to the product of the offer.
  package var sameProduct: Int64
  /// The number of offers that converted to any product of the chain, including the offer's
  /// product.
  package var anyProduct: Int64
  /// The number of offers that converted to a purchase that was refunded.
  package var refunded: Int64
  /// The number of offers that can still convert, including those in billing retry.
  package var open: Int64
  /// The number of offers without a paid purchase that can no longer convert.
  package var lapsed: Int64
  /// Whether the numbers are final: all offers are mature, and exports can add no further offers.
  package var isComplete: Bool
  /// The number of mature offers that converted to any product.
  package var matureConverted: Int64
}

/// The results of the offers of one kind and product that began in one month.
package struct CohortFigures: Hashable, Sendable {
  /// The kind: `trial` or `intro`.
  package var offerKind: String
  /// The month in which the offers began, such as `2021-08`.
  package var month: String
  /// The product of the offer.
  package var productID: String
  package var outcome: Outcome
}

/// The results of one offer for one product in one currency.
package struct OfferFigures: Hashable, Sendable {
  /// The kind: `trial`, `intro`, `promo` or `offer_code`.
  package var offerKind: String
  /// The id of the offer; `nil` for an introductory offer.
  package var offerID: String?
  /// The name of the offer's campaign; `nil` if there is none.
  package var offerName: String?
  /// The product of the offer.
  package var productID: String
  /// The payment mode of the offer, such as `pay_up_front`.
  package var paymentMode: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  package var outcome: Outcome
  /// The amount paid for the offer periods themselves; unknown amounts are left out.
  package var paid: Milliunits
  /// The amount paid for the purchases to which offers converted; unknown amounts are left out.
  package var convertedPaid: Milliunits
  /// The number of unknown amounts that ``paid`` and ``convertedPaid`` leave out.
  package var unresolvedRows: Int64
}
