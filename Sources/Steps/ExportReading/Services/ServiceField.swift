/// A field of a service's export that Paidline reads.
///
/// The raw value is the index of the field's value in ``RecordFinder/values``.
enum ServiceField: UInt8, CaseIterable, Sendable {
  case event, eventAt, updatedAt, transaction, original, product, store, environment, isSandbox
  case purchasedAt, expiresAt, period, kind, isRenewable, renewalNumber
  case isTrial, isIntroductory, periodKind, isUpgraded, isFamily, ownership
  case refundedAt, renewalOffAt, billingIssueAt, graceUntil, cancelReason
  case offer, offerKind, offerCode, quantity, bundle
  case customer, storefront, storefrontSource, currency, price, booked, revenue

  /// The name of the field in the declaration of a format: `expires_at`.
  var name: String { Self.names[Int(rawValue)] }

  /// Finds the field with a name; `nil` for an unknown name.
  init?(name: String) {
    guard let place = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(place))
  }

  private static let names = [
    "event", "event_at", "updated_at", "transaction", "original", "product", "store",
    "environment", "sandbox", "purchased_at", "expires_at", "period", "kind", "renewable",
    "renewal_number", "trial", "introductory", "period_kind", "upgraded", "family", "ownership",
    "refunded_at", "renewal_off_at", "billing_issue_at", "grace_until", "cancel_reason", "offer",
    "offer_kind", "offer_code", "quantity", "bundle", "customer", "storefront",
    "storefront_source", "currency", "price", "booked", "revenue",
  ]
}
