internal import Amounts
public import PurchaseModel
public import Purchases

/// The reason why a hosted service books another amount for a purchase than Paidline.
public enum ServiceCause: String, Hashable, Sendable, CaseIterable {
  /// Both book the same amount.
  case equal
  /// The service books today's list price for a subscriber who keeps the old price.
  case keptPrice = "kept_price"
  /// The service books the regular price for an offer.
  case offerAtListPrice = "offer_at_list_price"
  /// The service books the amount less the refund; Paidline books the charge and the refund.
  case refundInPrice = "refund_in_price"
  /// The service books another currency.
  case currency
  /// The service books the old price for a subscriber who pays the new one.
  case stalePrice = "stale_price"
  /// The phone sent the service a wrong price with the purchase.
  case reportedPrice = "reported_price"
  /// One side books money for a purchase that is free for the other.
  case freeRow = "free_row"
  /// The service lacks the purchase or its amount, or no input but the service's export has it.
  case missing
  /// Paidline does not know the amount.
  case unresolved
  /// The reason is unknown.
  case unexplained
}

/// A purchase with the amount that a hosted service books for it.
public struct ComparedPurchase: Hashable, Sendable {
  /// The position of the row in the purchase history.
  public var row: Int
  /// The service.
  public var service: SubscriptionService
  /// The amount that the service books; `nil` if it lacks the purchase or its amount.
  public var booked: SignedPrice?
  /// The reason for the difference.
  public var cause: ServiceCause
}

/// The inputs of a pipeline that are compared: exports of services, and Apple's data beside them.
public struct ComparedInputs: Hashable, Sendable {
  /// The services whose exports the pipeline reads, sorted.
  public var services: [SubscriptionService]
  /// Whether the pipeline also reads receipts or signed transactions.
  public var haveAppleData: Bool

  /// Creates the description of a pipeline's inputs.
  public init(services: [SubscriptionService] = [], haveAppleData: Bool = false) {
    self.services = services
    self.haveAppleData = haveAppleData
  }
}

/// Compares the amounts of a chain with those that a hosted service books.
///
/// Purchases that the service lacks are included. If the export has no purchase of the chain, the
/// first service of `inputs` lacks all of them.
public func serviceComparison(
  ofChain chain: Chain, _ book: PurchaseHistory, _ timelines: BillingTimelines,
  _ amounts: [PaidAmount], inputs: ComparedInputs
) -> [ComparedPurchase] {
  let found = chain.rows.lazy.compactMap({ book.purchases[$0].service?.service }).first
  guard let service = found ?? inputs.services.first else { return [] }
  return chain.rows.map { row in
    guard let terms = book.purchases[row].service, let charged = terms.charged else {
      // A service may leave out the amount of a free trial.
      if book.purchases[row].service != nil, amounts[row].paid == .zero {
        return ComparedPurchase(row: row, service: service, cause: .equal)
      }
      return ComparedPurchase(row: row, service: service, cause: .missing)
    }
    let booked = terms.booked ?? charged.amount
    let comparison = RowComparison(
      row: row, chain: chain, book: book, timelines: timelines, amounts: amounts)
    var cause = comparison.cause(terms, charged, booked: booked)
    if cause == .equal, inputs.haveAppleData, book.purchases[row].isOfServiceOnly {
      cause = .missing
    }
    return ComparedPurchase(
      row: row, service: terms.service,
      booked: SignedPrice(amount: booked, currency: charged.currency), cause: cause)
  }
}

/// Finds the cause of one row.
private struct RowComparison {
  let row: Int
  let chain: Chain
  let book: PurchaseHistory
  let timelines: BillingTimelines
  let amounts: [PaidAmount]

  private var amount: PaidAmount { amounts[row] }
  private var kind: PeriodKind { timelines.rows[row].kind }

  func cause(_ terms: ServiceTerms, _ charged: SignedPrice, booked: Milliunits) -> ServiceCause {
    guard let paid = amount.paid else { return .unresolved }
    let isFree = paid == .zero && charged.amount == .zero
    if let currency = amount.currency, currency != charged.currency, !isFree { return .currency }
    let byRefund = (charged.amount.rawValue - booked.rawValue).magnitude
    let byPrice = (charged.amount.rawValue - paid.rawValue).magnitude
    if byRefund > 0, byRefund >= byPrice { return .refundInPrice }
    return byPrice == 0 ? .equal : priceCause(terms, charged.amount, paid)
  }

  /// The cause of a difference between the amount that the service says was charged, and ours.
  private func priceCause(_ terms: ServiceTerms, _ charged: Milliunits, _ paid: Milliunits)
    -> ServiceCause
  {
    if paid == .zero || charged == .zero { return .freeRow }
    if kind.isOffer {
      return charged > paid && isRegularPrice(charged) ? .offerAtListPrice : .unexplained
    }
    // The price of a renewal is the service's own; that of a first purchase came from the phone.
    guard let before = previousRegularRow else {
      return terms.isFirst ? .reportedPrice : .unexplained
    }
    if charged > paid, amounts[before].paid == paid { return .keptPrice }
    let earlier = book.purchases[before].service?.charged?.amount
    if charged < paid, earlier == charged || amounts[before].paid == charged { return .stalePrice }
    return .unexplained
  }

  /// The regular row of the same product before the row; `nil` if there is none.
  private var previousRegularRow: Int? {
    chain.rows.last { other in
      other < row && timelines.rows[other].kind == .regular
        && book.purchases[other].productID == book.purchases[row].productID
    }
  }

  /// Whether an amount is the regular price of the row's product.
  private func isRegularPrice(_ price: Milliunits) -> Bool {
    if amount.listPrice == price { return true }
    return chain.rows.contains { other in
      timelines.rows[other].kind == .regular && amounts[other].paid == price
        && book.purchases[other].productID == book.purchases[row].productID
    }
  }
}
