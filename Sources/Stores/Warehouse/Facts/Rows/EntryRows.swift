internal import Amounts
internal import CivilTime
internal import Crypto
internal import PaidAmounts
internal import Proceeds
internal import PurchaseModel
internal import Purchases

/// The kind of a ledger entry: `fct_revenue_entry.entry_kind`.
enum EntryKind: String, CaseIterable {
  /// The charge, on the purchase day.
  case charge
  /// The refund, on the refund day.
  case refund
  /// The estimated credit for an upgrade, on the day of the upgrade.
  case upgradeCreditEstimate = "upgrade_credit_estimate"

  /// The `amount_basis` of an entry of this kind, unless Apple states the refunded part.
  var basis: String {
    switch self {
    case .charge: "paid"
    case .refund: "full_assumed"
    case .upgradeCreditEstimate: "prorated_estimate"
    }
  }

  /// The value of the last two bits of an entry's key.
  var code: Int64 {
    switch self {
    case .charge: 0
    case .refund: 1
    case .upgradeCreditEstimate: 2
    }
  }
}

/// Writes `fct_revenue_entry`: one row per money movement.
enum EntryRows {
  /// The key of an entry: the purchase's key, with its last two bits replaced by the kind.
  ///
  /// Entry keys are as stable as purchase keys. They also have the same order, so that the ledger
  /// is loaded and joined sequentially. If the keys of two purchases differ only in the last two
  /// bits, the run ends with status 70.
  static func key(of purchase: PurchaseKey, _ kind: EntryKind) -> Int64 {
    purchase.rawValue & ~3 | kind.code
  }

  /// The key of the refund of an item, derived from purchase, item and day.
  static func key(of purchase: PurchaseKey, item refund: ItemRefund) -> Int64 {
    let text = "\(purchase.rawValue)\u{1F}\(refund.item)\u{1F}\(refund.at.day.text)"
    let digest = SHA256.hash(data: Array(text.utf8))
    let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: bits & ~(1 << 63))
  }

  /// Returns the part of a paid amount for the time from `moment` to the end of the purchase's
  /// period.
  ///
  /// The result is at least 0 and at most the whole amount. Example: 9.99 USD for 30 days, and
  /// `moment` is 20 days after the purchase → 3.33 USD.
  static func unusedShare(of paid: Milliunits, _ purchase: Purchase, from moment: Instant)
    throws(AmountError) -> Milliunits
  {
    let whole = purchase.endsAt.since(purchase.purchasedAt).rawValue
    guard whole > 0 else { return .zero }
    let unused = purchase.endsAt.since(moment).rawValue
    return try paid.share(min(max(unused, 0), whole), of: whole)
  }
}

extension RowWriter {
  mutating func writeEntries(
    _ purchase: Purchase, _ timeline: BillingTimeline, _ amount: PaidAmount, _ refunds: RowRefunds,
    _ reporting: ReportingConverter
  ) throws(AmountError) {
    guard let paid = amount.paid, paid > .zero, let currency = amount.currency else { return }
    func entry(_ kind: EntryKind, _ booked: Milliunits, _ day: CivilDay, _ basis: String)
      -> RevenueEntry
    {
      RevenueEntry(
        key: EntryRows.key(of: purchase.key, kind), kind: kind, amount: booked, day: day,
        basis: basis)
    }
    var entries = [entry(.charge, paid, purchase.purchasedAt.day, EntryKind.charge.basis)]
    if let reversal = timeline.reversal {
      switch reversal.kind {
      case .refund:
        guard let whole = refunds.ofRow else { break }
        let basis = refunds.isShareStated ? RevenueEntry.shareBasis : EntryKind.refund.basis
        entries.append(entry(.refund, try whole.negated(), reversal.at.day, basis))
      case .upgrade:
        let unused = try EntryRows.unusedShare(of: paid, purchase, from: reversal.at)
        entries.append(
          entry(
            .upgradeCreditEstimate, try unused.negated(), reversal.at.day,
            EntryKind.upgradeCreditEstimate.basis))
      }
    }
    for item in refunds.ofItems {
      entries.append(
        RevenueEntry(
          key: EntryRows.key(of: purchase.key, item: item), kind: .refund,
          amount: try item.amount.negated(), day: item.at.day, basis: RevenueEntry.shareBasis))
    }
    // A refund of a charge without a rate would take away money that was never added.
    let hasRate = try reporting.entry(paid, in: currency, on: purchase.purchasedAt.day) != nil
    for entry in entries where entry.amount != .zero {
      table.begin(.revenueEntry)
      table.key("entry_key", entry.key)
      table.integer("purchase_key", purchase.key.rawValue)
      table.text("entry_kind", entry.kind.rawValue)
      table.day("entry_date", entry.day)
      table.integer("amount_milli", entry.amount.rawValue)
      table.letters("currency", currency.rawValue)
      table.integer(
        "amount_reporting_micros",
        hasRate ? try reporting.entry(entry.amount, in: currency, on: entry.day)?.rawValue : nil)
      table.text("amount_basis", entry.basis)
      table.insert()
    }
  }
}

/// One row of the ledger: a charge, a refund or a credit.
private struct RevenueEntry {
  /// The `amount_basis` of a refund whose part of the paid amount Apple states.
  static let shareBasis = "apple_share"

  var key: Int64
  var kind: EntryKind
  /// The amount; negative for a refund or a credit.
  var amount: Milliunits
  var day: CivilDay
  var basis: String
}
