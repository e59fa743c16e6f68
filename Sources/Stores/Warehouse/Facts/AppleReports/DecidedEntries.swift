internal import Amounts
internal import CivilTime
public import Deciding
public import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
public import Reconciling

/// The charges and refunds of decided households, for the comparison with Apple's reports.
public enum DecidedEntries {
  /// Returns the entries to compare with Apple's reports.
  ///
  /// The entries equal those that ``PublishedEntries`` reads after publication.
  ///
  /// - Parameters:
  ///   - appleReports: Apple's reports. Only entries on days for which
  ///     ``ReconciledReports/isNear(_:)`` is true are returned.
  public static func of(
    _ decided: borrowing DecidedHouseholds, _ context: FactContext,
    near appleReports: ReconciledReports
  ) throws(RunFailure) -> [ReconciliationEntry] {
    var entries: [ReconciliationEntry] = []
    for chain in decided.purchases.chains {
      for row in chain.rows {
        let purchase = decided.purchases.purchases[row]
        let (timeline, amount) = (decided.timelines.rows[row], decided.amounts.amounts[row])
        var charge = ReconciliationEntry(
          purchaseKey: purchase.key.rawValue, day: CivilDay(pacific: purchase.purchasedAt),
          productID: context.text(purchase.productID.symbol), storefront: amount.storefront,
          currency: amount.currency, amount: amount.paid)
        charge.isSubscription =
          purchase.expiresAt != nil
          && context.kinds[purchase.productID] != .nonRenewingSubscription
        charge.offer = PublishedEntries.offer(
          timeline.kind.rawValue, timeline.offerID.map { context.text($0.symbol) })
        charge.quantity = Int64(purchase.quantity)
        charge.isStorefrontInferred = amount.storefrontSource == .inferred
        if charge.isSubscription {
          charge.run = PublishedEntries.run(
            chain.originalTransactionID.number.text(in: context.symbols),
            spell: timeline.spellNumber.map(Int64.init))
          charge.lateUntil = decided.purchases.latePaymentDays(ofRow: row, in: chain, timeline)
            .map { charge.day.advanced(by: $0) }
        }
        let (back, items): (Milliunits?, [ItemRefund])
        do {
          let text = purchase.signed?.itemRefunds.map(context.text)
          let refunds = try RowRefunds(purchase, timeline, amount, items: text)
          (back, items) = (try refunds.ofRow?.negated(), refunds.ofItems)
        } catch {
          throw RunFailure(
            .invariantBroken,
            "amount overflow in the rows of the facts: \(error). This is a bug, please report it.")
        }
        let all =
          charge.withRefund(of: back, at: timeline.reversal?.at)
          + items.map { charge.refund(ofItem: $0.amount, on: $0.at.day) }
        entries += all.filter { appleReports.isNear($0.day) }
      }
    }
    return entries
  }
}

extension ReconciliationEntry {
  /// Returns the charge and, if the purchase was refunded, its full or partial refund.
  ///
  /// `booked` is the amount of the refund in the ledger, negative; `nil` without a refund. The
  /// refund's day is in Pacific time, as in Apple's reports.
  func withRefund(of booked: Milliunits?, at moment: Instant?) -> [ReconciliationEntry] {
    guard let booked, let moment else { return [self] }
    var refund = self
    refund.isRefund = true
    refund.day = CivilDay(pacific: moment)
    refund.amount = Milliunits(-booked.rawValue)
    return [self, refund]
  }
}

extension ReconciliationEntry {
  /// Returns the refund of one item of the purchase; its day is in UTC, as in the ledger.
  func refund(ofItem amount: Milliunits, on day: CivilDay) -> ReconciliationEntry {
    var refund = self
    refund.isRefund = true
    refund.day = day
    refund.amount = amount
    refund.quantity = 0
    return refund
  }
}

extension FactContext {
  fileprivate func text(_ symbol: Symbol) -> String {
    String(decoding: symbols.utf8(symbol), as: UTF8.self)
  }
}
