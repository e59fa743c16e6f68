internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import Proceeds
internal import Purchases

/// What a ledger entry books: `fct_revenue_entry.entry_kind`.
enum EntryKind: String, CaseIterable {
  /// What was paid, on the purchase day.
  case charge
  /// What was given back, on the refund day.
  case refund
  /// What an upgrade probably gave back, on the day of the upgrade.
  case upgradeCreditEstimate = "upgrade_credit_estimate"

  /// Why the amount is what it is where Apple does not say: `amount_basis`.
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

/// `fct_revenue_entry`: one row per money movement, in key order.
enum EntryRows {
  /// The key of an entry: the purchase's key with its last two bits replaced by the kind.
  ///
  /// As stable as the purchase's key, and in the same order, so that the ledger loads and joins
  /// without jumping. Two purchases that differ in those bits alone clash: exit status 70.
  static func key(of purchase: PurchaseKey, _ kind: EntryKind) -> Int64 {
    purchase.rawValue & ~3 | kind.code
  }

  /// The entries of all rows.
  static func source(_ content: WarehouseContent, rows: RowsByKey) -> FactSource {
    FactSource(.table("fct_revenue_entry"), units: rows.count) { places, table in
      try rows.forEach(places) { try write($0, content, to: &table) }
    }
  }

  private static func write(
    _ row: RowsByKey.Row, _ content: WarehouseContent, to table: inout RowEncoder
  ) throws {
    let amount = row.amount
    guard let paid = amount.paid, paid > .zero, let currency = amount.currency else { return }
    let purchase = row.purchase
    func write(
      _ kind: EntryKind, _ booked: Milliunits, on day: CivilDay, basis: String? = nil
    ) throws {
      guard booked != .zero else { return }
      table.key("entry_key", key(of: purchase.key, kind))
      table.integer("purchase_key", purchase.key.rawValue)
      table.text("entry_kind", kind.rawValue)
      table.day("entry_date", day)
      table.integer("amount_milli", booked.rawValue)
      table.letters("currency", currency.rawValue)
      table.integer(
        "amount_reporting_micros",
        try content.reporting.entry(booked, in: currency, on: day)?.rawValue)
      table.text("amount_basis", basis ?? kind.basis)
      table.insert()
    }
    try write(.charge, paid, on: purchase.purchasedAt.day)
    guard let reversal = row.course.reversal else { return }
    switch reversal.kind {
    case .refund:
      let share = try row.refunded()
      try write(
        .refund, (share ?? paid).negated(), on: reversal.at.day,
        basis: share == nil ? nil : "apple_share")
    case .upgrade:
      try write(
        .upgradeCreditEstimate, unusedShare(of: paid, purchase, from: reversal.at).negated(),
        on: reversal.at.day)
    }
  }

  /// What was paid for the time from a moment to the end of a row, never less than nothing and
  /// never more than everything.
  static func unusedShare(of paid: Milliunits, _ purchase: Purchase, from moment: Instant)
    throws(AmountError) -> Milliunits
  {
    let whole = purchase.endsAt.since(purchase.purchasedAt).rawValue
    guard whole > 0 else { return .zero }
    let unused = purchase.endsAt.since(moment).rawValue
    return try paid.share(min(max(unused, 0), whole), of: whole)
  }
}
