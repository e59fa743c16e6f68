internal import Amounts
internal import CivilTime
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
  /// The refund that an upgrade probably gave, on the day of the upgrade.
  case upgradeCreditEstimate = "upgrade_credit_estimate"

  /// The basis of the amount, where Apple does not tell it: `amount_basis`.
  var basis: String {
    switch self {
    case .charge: "paid"
    case .refund: "full_assumed"
    case .upgradeCreditEstimate: "prorated_estimate"
    }
  }

  /// The last two bits of an entry's key.
  var code: Int64 {
    switch self {
    case .charge: 0
    case .refund: 1
    case .upgradeCreditEstimate: 2
    }
  }
}

/// `fct_revenue_entry`: one row per money movement.
enum EntryRows {
  /// The key of an entry: the purchase's key with its last two bits replaced by the kind.
  ///
  /// As stable as the purchase's key, and in the same order, so that the ledger loads and joins
  /// without jumping. Two purchases that differ in those bits alone clash: exit status 70.
  static func key(of purchase: PurchaseKey, _ kind: EntryKind) -> Int64 {
    purchase.rawValue & ~3 | kind.code
  }

  /// The refunded part of a row, if Apple tells the share; `nil` otherwise.
  ///
  /// 9.99 USD with 67.932 % → 6.786 USD.
  static func refunded(
    _ purchase: Purchase, _ course: PurchaseCourse, _ amount: PaidAmount
  ) throws(AmountError) -> Milliunits? {
    guard course.reversal?.kind == .refund, let paid = amount.paid,
      let share = purchase.signed?.refund?.share
    else { return nil }
    return try paid.share(Int64(share), of: 100_000)
  }

  /// The entry that books a refund, below 0; `nil` where no money went back or none is known.
  static func refund(_ purchase: Purchase, _ course: PurchaseCourse, _ amount: PaidAmount)
    throws(AmountError) -> Milliunits?
  {
    guard course.reversal?.kind == .refund, let paid = amount.paid, paid > .zero,
      amount.currency != nil
    else { return nil }
    let booked = try (try refunded(purchase, course, amount) ?? paid).negated()
    return booked == .zero ? nil : booked
  }

  /// The part of a price paid that covers the time from a moment to the row's end; from 0 to all of
  /// it.
  ///
  /// 9.99 USD for 30 days, from 20 days after the purchase on → 3.33 USD.
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
  /// The entries of a revenue row.
  mutating func writeEntries(
    _ purchase: Purchase, _ course: PurchaseCourse, _ amount: PaidAmount,
    _ reporting: ReportingBook, _ chain: ChainKey
  ) throws(AmountError) {
    guard let paid = amount.paid, paid > .zero, let currency = amount.currency else { return }
    var entries = [(EntryKind.charge, paid, purchase.purchasedAt.day, EntryKind.charge.basis)]
    if let reversal = course.reversal {
      switch reversal.kind {
      case .refund:
        guard let booked = try EntryRows.refund(purchase, course, amount) else { break }
        let isTold = try EntryRows.refunded(purchase, course, amount) != nil
        entries.append(
          (.refund, booked, reversal.at.day, isTold ? "apple_share" : EntryKind.refund.basis))
      case .upgrade:
        let unused = try EntryRows.unusedShare(of: paid, purchase, from: reversal.at)
        entries.append(
          (
            .upgradeCreditEstimate, try unused.negated(), reversal.at.day,
            EntryKind.upgradeCreditEstimate.basis
          ))
      }
    }
    for (kind, booked, day, basis) in entries where booked != .zero {
      table.begin(.revenueEntry)
      table.key("entry_key", EntryRows.key(of: purchase.key, kind))
      table.integer("purchase_key", purchase.key.rawValue)
      table.text("entry_kind", kind.rawValue)
      table.day("entry_date", day)
      table.integer("amount_milli", booked.rawValue)
      table.letters("currency", currency.rawValue)
      table.integer(
        "amount_reporting_micros",
        try reporting.entry(booked, in: currency, on: day)?.rawValue)
      table.text("amount_basis", basis)
      table.insert(chain)
    }
  }
}
