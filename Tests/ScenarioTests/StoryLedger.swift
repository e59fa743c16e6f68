internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import Purchases

extension StoryFacts {
  /// The money movements of the revenue rows.
  func ledger() -> [StoryFact] {
    (0..<book.revenueCount).flatMap { row -> [StoryFact] in
      let amount = amounts.amounts[row]
      guard let paid = amount.paid else { return [] }
      let purchase = book.purchases[row]
      var entries = [("charge", purchase.purchasedAt.day, paid, "paid")]
      if let reversal = timelines.rows[row].reversal {
        switch reversal.kind {
        case .refund:
          entries.append(
            ("refund", reversal.at.day, Milliunits(-paid.rawValue), "full_assumed"))
        case .upgrade:
          let whole = purchase.endsAt.since(purchase.purchasedAt).rawValue
          let unused = min(max(purchase.endsAt.since(reversal.at).rawValue, 0), whole)
          let credit = whole > 0 ? try? paid.share(unused, of: whole) : nil
          entries.append(
            (
              "upgrade_credit_estimate", reversal.at.day,
              Milliunits(-(credit ?? .zero).rawValue), "prorated_estimate"
            ))
        }
      }
      return entries.filter { $0.2 != .zero }.map { kind, day, booked, basis in
        StoryFact(
          identity: "\(id(row)) \(kind)",
          fields: [
            "date": day.text, "amount": StoryText.money(booked, amount.currency), "basis": basis,
          ])
      }
    }
  }
}
