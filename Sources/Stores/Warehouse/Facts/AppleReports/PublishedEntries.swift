internal import SQLiteFiles
internal import Amounts
internal import AppleReports
internal import CivilTime
public import GRDB
internal import PurchaseModel
internal import Purchases
public import Reconciling

/// The charges and refunds of published facts, for the comparison with Apple's reports.
public enum PublishedEntries {
  /// Reads the entries to compare with Apple's reports.
  ///
  /// - Parameters:
  ///   - appleReports: Apple's reports. Only entries on days for which
  ///     ``ReconciledReports/isNear(_:)`` is true are read.
  /// - Returns: A charge per purchase, and a refund per refunded purchase or item; sorted by
  ///   purchase.
  public static func read(_ db: Database, near appleReports: ReconciledReports) throws
    -> [ReconciliationEntry]
  {
    let rows = try RawStatement(
      "read entries",
      """
      SELECT r.purchase_key, r.purchased_at, r.product_id,
        r.expires_at IS NOT NULL AND r.product_kind <> 'non_renewing_subscription',
        r.storefront, r.currency, r.period_kind, r.offer_id, r.quantity, r.paid_milli,
        r.reversed_at, e.amount_milli, r.original_transaction_id, r.spell_number,
        r.is_billing_recovery, r.storefront_source = 'inferred', r.first_seen_at,
        r.billing_plan = 'monthly', r.covered_period, p.subscription_period
      FROM fct_revenue AS r
      LEFT JOIN dim_product AS p
        ON p.product_id = r.product_id AND p.bundle_id = coalesce(r.bundle_id, '')
      LEFT JOIN fct_revenue_entry AS e
        ON e.entry_key = (r.purchase_key & ~3 | 1) AND e.entry_kind = 'refund'
      ORDER BY r.purchase_key
      """, on: db)
    var entries: [ReconciliationEntry] = []
    let (signs, items) = (try latePayments(db), try itemRefunds(db))
    while try rows.next() {
      guard let bought = Instant(text: rows.text(1)) else { continue }
      var entry = ReconciliationEntry(
        purchaseKey: rows.int64(0), day: CivilDay(pacific: bought), productID: rows.text(2),
        storefront: rows.optionalText(4).flatMap { Storefront($0) },
        currency: rows.optionalText(5).flatMap { Currency($0) },
        amount: rows.optionalInt64(9).map(Milliunits.init))
      entry.isSubscription = rows.int64(3) == 1
      entry.offer = offer(rows.text(6), rows.optionalText(7))
      entry.quantity = rows.int64(8)
      entry.isStorefrontInferred = rows.int64(15) == 1
      if entry.isSubscription {
        let chain = rows.text(12)
        // Apple's reports may have a charge on the next day.
        let seenAt = rows.optionalText(16).flatMap { Instant(text: $0)?.advanced(by: .days(1)) }
        entry.chargedBy = seenAt.map { CivilDay(pacific: $0) }
        entry.run = run(chain, spell: rows.optionalInt64(13))
        entry.lateUntil = LatePayment.days(
          purchasedAt: bought, firstSeenAt: seenAt,
          isOnPlan: rows.optionalInt64(17) == 1
            || isInstalment(rows.text(6), of: rows.optionalText(18), rows.optionalText(19)),
          isRecovery: rows.int64(14) == 1, signs: signs[chain] ?? []
        ).map { entry.day.advanced(by: $0) }
      }
      var all = [entry]
      // The refund's day is in Pacific time, as in Apple's reports.
      if let booked = rows.optionalInt64(11),
        let at = rows.optionalText(10).flatMap({ Instant(text: $0) })
      {
        all.append(entry.refund(of: Milliunits(-booked), on: CivilDay(pacific: at)))
      }
      for item in items[entry.purchaseKey] ?? [] {
        var refund = entry.refund(of: item.amount, on: item.day)
        refund.quantity = 0
        all.append(refund)
      }
      entries += all.filter { appleReports.isNear($0.day) }
    }
    return entries
  }

  /// Whether a row of a kind pays for less than half of its product's period.
  private static func isInstalment(_ kind: String, of covered: String?, _ period: String?) -> Bool {
    guard kind == "regular", let covered = covered.flatMap({ Period(text: $0) }),
      let period = period.flatMap({ Period(text: $0) })
    else { return false }
    return 2 * covered.nominalHours < period.nominalHours
  }

  /// A text that identifies one spell of a chain: spell 2 of chain `1000000123` → `1000000123 2`.
  private static func run(_ chain: String, spell: Int64?) -> String { "\(chain) \(spell ?? 0)" }

  /// The refunds of single items of purchases, keyed by purchase key; amounts are positive.
  ///
  /// Refunds of whole rows are left out.
  private static func itemRefunds(_ db: Database) throws -> [Int64: [(
    day: CivilDay, amount: Milliunits
  )]] {
    let rows = try RawStatement(
      "read item refunds",
      """
      SELECT purchase_key, entry_date, amount_milli FROM fct_revenue_entry
      WHERE entry_kind = 'refund' AND entry_key <> (purchase_key & ~3 | 1)
      ORDER BY purchase_key, entry_key
      """, on: db)
    var refunds: [Int64: [(day: CivilDay, amount: Milliunits)]] = [:]
    while try rows.next() {
      guard let day = CivilDay(text: rows.text(1)) else { continue }
      refunds[rows.int64(0), default: []].append((day, Milliunits(-rows.int64(2))))
    }
    return refunds
  }

  /// The observations of billing retry or a grace period, keyed by chain; they indicate late
  /// payments.
  private static func latePayments(_ db: Database) throws -> [String: [LatePayment.Sign]] {
    let rows = try RawStatement(
      "read late payments",
      """
      SELECT original_transaction_id, observed_at, is_in_billing_retry, grace_period_expires_at
      FROM fct_renewal_state WHERE is_in_billing_retry = 1 OR grace_period_expires_at IS NOT NULL
      """, on: db)
    var signs: [String: [LatePayment.Sign]] = [:]
    while try rows.next() {
      guard let at = Instant(text: rows.text(1)) else { continue }
      signs[rows.text(0), default: []].append(
        LatePayment.Sign(
          at: at, isRetry: rows.optionalInt64(2) == 1,
          graceUntil: rows.optionalText(3).flatMap { Instant(text: $0) }))
    }
    return signs
  }

  /// The offer of a row, in the form of Apple's reports: `trial` → the introductory offer.
  private static func offer(_ kind: String, _ id: String?) -> AppleOffer {
    switch kind {
    case "trial", "intro": .introductory
    case "promo", "offer_code": .named(id ?? "")
    default: .none
    }
  }
}

extension ReconciliationEntry {
  fileprivate func refund(of amount: Milliunits, on day: CivilDay) -> ReconciliationEntry {
    var refund = self
    (refund.isRefund, refund.amount, refund.day) = (true, amount, day)
    return refund
  }
}
