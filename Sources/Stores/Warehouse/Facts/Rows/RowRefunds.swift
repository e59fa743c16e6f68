internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The refunds of one revenue row: of single items first, then of the whole row.
///
/// An item is a part of an Advanced Commerce purchase (``ItemRefund``). Example: 9.99 USD were
/// paid, an item of 1.99 was refunded on May 3, and the row on May 9 → refunds of 1.99 on May 3 and
/// 8.00 on May 9. The sum of refunds is at most the paid amount.
struct RowRefunds {
  /// The refund of the row on the day of the reversal, minus the refunds of its items.
  ///
  /// `nil` if nothing was left to refund, the row was not refunded, or the paid amount is unknown.
  private(set) var ofRow: Milliunits?
  /// Whether Apple states the refunded part of the row; otherwise the whole amount is assumed.
  private(set) var isShareStated = false
  /// The refunds of items, merged by item and day, oldest first.
  private(set) var ofItems: [ItemRefund] = []
  /// `refunded_milli`: the total refund of the row and its items.
  ///
  /// `nil` if there is no refund, the paid amount is unknown, or Apple states neither the refunded
  /// part of the row nor a refunded item.
  private(set) var stated: Milliunits?

  /// Collects the refunds of a row.
  ///
  /// - Parameters:
  ///   - items: The refunds of its items, in the format of ``ItemRefundsText``; `nil` without
  ///     items.
  init(
    _ purchase: Purchase, _ timeline: BillingTimeline, _ amount: PaidAmount, items: String?
  ) throws(AmountError) {
    guard let paid = amount.paid, paid > .zero, amount.currency != nil else {
      // Without a charge there is nothing to refund.
      let isRefunded = timeline.reversal?.kind == .refund && purchase.signed?.refund != nil
      stated = isRefunded && amount.paid == .zero ? .zero : nil
      return
    }
    var left = paid.rawValue
    for refund in items.map(ItemRefundsText.refunds) ?? [] where left > 0 {
      var booked = refund
      booked.amount = Milliunits(min(refund.amount.rawValue, left))
      left -= booked.amount.rawValue
      if let last = ofItems.firstIndex(where: {
        $0.item == booked.item && $0.at.day == booked.at.day
      }) {
        ofItems[last].amount = try ofItems[last].amount.adding(booked.amount)
      } else {
        ofItems.append(booked)
      }
    }
    let itemsSum = paid.rawValue - left
    if !ofItems.isEmpty { stated = Milliunits(itemsSum) }
    guard timeline.reversal?.kind == .refund else { return }
    if let share = purchase.signed?.refund?.share {
      isShareStated = true
      // Example: 9.99 USD with 67.932 % → 6.786 USD.
      let whole = try paid.share(Int64(share), of: 100_000)
      left = max(0, whole.rawValue - itemsSum)
      stated = Milliunits(itemsSum + left)
    } else if !ofItems.isEmpty {
      stated = paid
    }
    if left > 0 { ofRow = Milliunits(left) }
  }
}
