/// A table of facts.
///
/// A run writes only the rows that differ from the stored rows.
/// The cases are in the order in which the tables are written.
public enum FactTable: UInt8, CaseIterable, Sendable {
  case revenue
  case bridge
  case revenueEntry
  case conversion
  case renewalState
  case subscription
  case offerEligibility
  case product
  case productPrice
  case priceEvidence
  case priceEvidenceOffer
  case excludedPurchase
  case serviceComparison
  case subscriptionEvent

  /// The name of the table in the schema, such as `fct_revenue`.
  public var name: String {
    switch self {
    case .revenue: "fct_revenue"
    case .bridge: "bridge_transaction_id"
    case .revenueEntry: "fct_revenue_entry"
    case .conversion: "fct_conversion"
    case .renewalState: "fct_renewal_state"
    case .subscription: "dim_subscription"
    case .offerEligibility: "dim_offer_eligibility"
    case .product: "dim_product"
    case .productPrice: "dim_product_price"
    case .priceEvidence: "price_evidence"
    case .priceEvidenceOffer: "price_evidence_offer"
    case .excludedPurchase: "excluded_purchase"
    case .serviceComparison: "service_comparison"
    case .subscriptionEvent: "fct_subscription_event"
    }
  }

  /// The number of columns in the primary key, which are the first columns of the table.
  var keyColumns: Int {
    switch self {
    case .revenue, .bridge, .revenueEntry, .conversion, .subscription, .priceEvidence,
      .excludedPurchase, .serviceComparison:
      1
    case .renewalState, .offerEligibility, .product, .priceEvidenceOffer, .subscriptionEvent: 2
    case .productPrice: 9
    }
  }

  /// Whether the primary key is one whole number, which SQLite also uses as the rowid.
  var hasNumberAsKey: Bool {
    switch self {
    case .revenue, .revenueEntry, .conversion, .priceEvidence, .excludedPurchase,
      .serviceComparison:
      true
    case .bridge, .renewalState, .subscription, .offerEligibility, .product, .productPrice,
      .priceEvidenceOffer, .subscriptionEvent:
      false
    }
  }
}
