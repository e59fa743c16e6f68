public import Amounts
public import CivilTime

/// A refund of one item of an Advanced Commerce purchase; the other items stay paid.
public struct ItemRefund: Hashable, Comparable, Sendable {
  /// The time of the refund, UTC.
  public var at: Instant
  /// The SKU of the refunded item.
  public var item: String
  /// The refunded amount, in the currency of the purchase; above 0.
  public var amount: Milliunits

  /// Creates the refund of an item from its time, SKU and amount.
  public init(at: Instant, item: String, amount: Milliunits) {
    self.at = at
    self.item = item
    self.amount = amount
  }

  /// Orders refunds by time, then item, then amount.
  public static func < (left: ItemRefund, right: ItemRefund) -> Bool {
    (left.at, left.item, left.amount) < (right.at, right.item, right.amount)
  }
}

/// Converts the item refunds of a purchase to one text, and back.
///
/// A row of fixed size cannot contain a list. Each refund has its time in milliseconds since 1970,
/// its amount in thousandths of the currency, and its SKU. `%` and `;` in a SKU are escaped.
/// Example of two refunds: `1746057600000 1990 video;1746144000000 500 radio`.
public enum ItemRefundsText {
  /// Formats refunds, sorted by time; `nil` if there are none.
  public static func text(_ refunds: [ItemRefund]) -> String? {
    guard !refunds.isEmpty else { return nil }
    return refunds.sorted().map { refund in
      let item = refund.item.replacing("%", with: "%25").replacing(";", with: "%3B")
      return "\(refund.at.milliseconds) \(refund.amount.rawValue) \(item)"
    }.joined(separator: ";")
  }

  /// Parses the refunds in a text; leaves out entries in another format.
  public static func refunds(in text: String) -> [ItemRefund] {
    text.split(separator: ";").compactMap { entry in
      let parts = entry.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let at = Int64(parts[0]), let amount = Int64(parts[1]) else {
        return nil
      }
      let item = String(parts[2]).replacing("%3B", with: ";").replacing("%25", with: "%")
      return ItemRefund(
        at: Instant(milliseconds: at), item: item, amount: Milliunits(amount))
    }
  }
}
