internal import CivilTime
internal import PaidAmounts

/// The products and days whose cells in Apple's reports differ from the last publication.
///
/// Rows near these days are decided again, because the reports may now prove another amount.
/// Example: a new report of May 10 changes the cells of `plus` on that day. Then rows of `plus`
/// from May 8 to May 12 are decided again. Rows from March 9 on are decided again if their amounts
/// depend on Apple's charges of later days.
struct CellChanges {
  private let changed: Set<ProductDay>
  private let days: ClosedRange<CivilDay>?

  /// Compares the hashes of all cells with the hashes of the last publication.
  init(from old: [ProductDay: UInt64], to new: [ProductDay: UInt64]) {
    var changed: Set<ProductDay> = []
    for (place, digest) in new where old[place] != digest { changed.insert(place) }
    for place in old.keys where new[place] == nil { changed.insert(place) }
    self.changed = changed
    let found = changed.lazy.map { $0.day }
    days = found.min().flatMap { first in found.max().map { first...$0 } }
  }

  /// Returns true if a cell has changed on which the amount of a row may depend.
  ///
  /// - Parameters:
  ///   - isOnLaterCharges: True if the amount depends on charges up to
  ///     ``SalesReportTotals/laterDays`` days after the row's day. False if it depends only on the
  ///     nearest days.
  /// - Returns: True if the amount of the row may change.
  func affect(_ cell: SalesReportTotals.Cell, isOnLaterCharges: Bool) -> Bool {
    let last = isOnLaterCharges ? SalesReportTotals.laterDays : SalesReportTotals.nearDays
    let near =
      cell.day.advanced(by: -SalesReportTotals.nearDays)...cell.day.advanced(by: last)
    guard let days, days.overlaps(near) else { return false }
    return (-SalesReportTotals.nearDays...last).contains { shift in
      let day = cell.day.advanced(by: shift)
      return changed.contains(ProductDay(cell.productID, day))
        || changed.contains(ProductDay(nil, day))
    }
  }
}
