internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The money given back for one revenue row: for all of it, and for single items of it.
///
/// Paid 9.99 USD, an item of 1.99 refunded on 3 May, the row on 9 May → 1.99 on the one day and
/// 8.00 on the other. No sum of refunds is more than the amount paid.
struct RowRefunds {
  /// The part that the refund of the row gave back, on the day of the reversal; `nil` if there is
  /// none, and where the amount paid is not known.
  private(set) var ofRow: Milliunits?
  /// Whether the refunded share of the row is Apple's, instead of being assumed whole.
  private(set) var isShareTold = false
  /// The refunds of items, those of one item and day together, oldest first.
  private(set) var ofItems: [ItemRefund] = []
  /// `refunded_milli`: the whole refund according to Apple; `nil` without a refund, and where the
  /// whole amount is only assumed.
  private(set) var told: Milliunits?

  /// Gathers the refunds of a row.
  ///
  /// - Parameters:
  ///   - purchase: The purchase.
  ///   - timeline: Its place in its chain, with its reversal.
  ///   - amount: The amount paid for it.
  ///   - items: The refunds of its items, as ``ItemRefundsText`` writes them.
  /// - Throws: ``AmountError/overflow`` when a sum does not fit.
  init(
    _ purchase: Purchase, _ timeline: BillingTimeline, _ amount: PaidAmount, items: String?
  ) throws(AmountError) {
    guard let paid = amount.paid, paid > .zero, amount.currency != nil else {
      // Nothing is booked; any share of 0 is 0.
      let isRefunded = timeline.reversal?.kind == .refund && purchase.signed?.refund != nil
      told = isRefunded && amount.paid == .zero ? .zero : nil
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
    if !ofItems.isEmpty { told = Milliunits(itemsSum) }
    guard timeline.reversal?.kind == .refund else { return }
    if let share = purchase.signed?.refund?.share {
      isShareTold = true
      // 9.99 USD with 67.932 % → 6.786 USD.
      let whole = try paid.share(Int64(share), of: 100_000)
      left = max(0, whole.rawValue - itemsSum)
      told = Milliunits(itemsSum + left)
    } else if !ofItems.isEmpty {
      told = paid
    }
    if left > 0 { ofRow = Milliunits(left) }
  }
}
