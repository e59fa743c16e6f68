internal import Amounts
internal import AppleReports
internal import CivilTime

/// Matches refunds in Apple's reports with refunds in the facts, for one product, storefront and
/// currency.
struct RefundMatching {
  /// A refund in Apple's reports.
  private struct Refund {
    var line: AppleReportLine
    var isCovered: Bool
    var isOpen = true

    /// The refund per unit, or the amount of a partial refund; above 0.
    var price: Int64 { line.unitPrice?.rawValue ?? -line.amount.rawValue }
  }

  /// Two matched refunds, or a refund without a match, with the cause of the difference.
  ///
  /// `line` is the refund in Apple's reports, and `entry` is the refund in the facts. Each of them
  /// is `nil` if no refund matches, or if its day is not compared.
  struct Found {
    var line: AppleReportLine?
    var entry: ReconciliationEntry?
    var cause: ReconciliationCause
  }

  private var refunds: [Refund] = []
  private var ours: [(entry: ReconciliationEntry, isCompared: Bool)] = []

  /// Adds a refund of Apple's reports; `isCovered` is true if a report covers the day of the line.
  mutating func add(_ line: AppleReportLine, isCovered: Bool) {
    refunds.append(Refund(line: line, isCovered: isCovered))
  }

  /// Adds a refund of the facts; `isCompared` is true if its day is part of the comparison.
  mutating func add(_ entry: ReconciliationEntry, isCompared: Bool) {
    ours.append((entry, isCompared))
  }

  /// The criteria by which refunds are matched, the strictest first.
  ///
  /// For all criteria, the purchases must be on equal or neighboring days. In addition:
  ///
  /// - `size` requires equal amounts.
  /// - `day` requires refunds on equal or neighboring days.
  /// - `purchase` requires nothing else.
  private enum RefundSimilarity: CaseIterable {
    case size, day, purchase
  }

  /// Matches refunds of purchases on equal or neighboring days, and assigns a cause to each refund.
  ///
  /// If the entry is a late payment, any purchase day up to `lateUntil` is accepted. The most
  /// similar refunds are matched first. A refund that only Apple's reports contain has the cause
  /// `proration` if `isPartial` returns true.
  mutating func matched(_ appleReports: ReconciledReports, isPartial: (AppleReportLine) -> Bool)
    -> [Found]
  {
    refunds.sort { ($0.line.day, $0.price, $0.line.line) < ($1.line.day, $1.price, $1.line.line) }
    ours.sort { $0.entry.isBefore($1.entry) }
    var found: [Found] = []
    for likeness in RefundSimilarity.allCases {
      var open: [(entry: ReconciliationEntry, isCompared: Bool)] = []
      for one in ours {
        guard let index = refunds.firstIndex(where: { fits($0, one.entry, likeness) }) else {
          open.append(one)
          continue
        }
        refunds[index].isOpen = false
        let refund = refunds[index]
        let days = refund.line.day.daysSinceEpoch - one.entry.day.daysSinceEpoch
        let isAlike = refund.line.day.monthText == one.entry.day.monthText
        let cause: ReconciliationCause =
          likeness != .size
          ? .proration
          : isAlike && refund.isCovered && one.isCompared
            ? .equal : abs(days) <= 1 ? .dayBoundary : .refund
        found.append(
          Found(
            line: refund.isCovered ? refund.line : nil, entry: one.isCompared ? one.entry : nil,
            cause: cause))
      }
      ours = open
    }
    for refund in refunds where refund.isOpen && refund.isCovered {
      found.append(Found(line: refund.line, cause: isPartial(refund.line) ? .proration : .refund))
    }
    for one in ours where one.isCompared {
      found.append(Found(entry: one.entry, cause: one.entry.causeWithoutMatch(in: appleReports)))
    }
    return found
  }

  private func fits(_ refund: Refund, _ entry: ReconciliationEntry, _ likeness: RefundSimilarity)
    -> Bool
  {
    guard refund.isOpen else { return false }
    let near: (CivilDay, CivilDay) -> Bool = { abs($0.daysSinceEpoch - $1.daysSinceEpoch) <= 1 }
    let isSameDay =
      refund.line.purchaseDay.map { day in
        near(day, entry.purchaseDay)
          || entry.lateUntil.map { entry.purchaseDay <= day && day <= $0 } ?? false
      } ?? near(refund.line.day, entry.day)
    guard isSameDay else { return false }
    if likeness != .size {
      return -refund.line.units <= max(1, entry.quantity)
        && (likeness == .purchase || near(refund.line.day, entry.day))
    }
    // Apple reports the refund of an item as a partial refund, or as a unit at less than its price.
    return refund.line.units == 0 || entry.quantity == 0
      ? -refund.line.amount.rawValue == entry.amount?.rawValue
      : -refund.line.units == entry.quantity && refund.price == entry.unitPrice?.rawValue
  }
}
