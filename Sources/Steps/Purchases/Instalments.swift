public import CivilTime
public import PurchaseModel

/// Finds the instalment that a row pays; `nil` for a row that pays for a whole period.
///
/// A row is an instalment if it is regular and covers less than half of its product's period. Rows
/// with another length than a period on sale are no instalments, because they were cut or extended.
/// Neither are upgraded rows, nor rows that end within a day of their cancellation.
///
/// Example: a month of a product that is sold by the year → `12 × P1M`.
///
/// - Parameter period: The product's period; `nil` if unknown.
public func instalment(of row: Purchase, kind: PeriodKind, period: Period?) -> Instalment? {
  guard kind == .regular, let period, let length = nominalPeriod(of: row),
    2 * length.nominalHours < period.nominalHours
  else { return nil }
  let hours = length.nominalHours
  return Instalment(
    count: Int32((2 * period.nominalHours + hours) / (2 * hours)), length: length)
}

/// The period on sale for which a row pays; `nil` if its length was changed, or without an expiry.
///
/// The length of the row may differ by a tenth from that of the period.
func nominalPeriod(of row: Purchase) -> Period? {
  guard !row.isUpgraded, let end = row.expiresAt else { return nil }
  if let cancelled = row.cancelledAt, end.since(cancelled).magnitude <= .days(1) { return nil }
  let length = end.since(row.purchasedAt)
  guard let period = Period.nearest(to: length) else { return nil }
  let nominal = Milliseconds.hours(period.nominalHours).rawValue
  return abs(length.rawValue - nominal) * 10 <= nominal ? period : nil
}

extension Period {
  /// One month, the length of an instalment of a year.
  static let month = Period(1, .month)
  /// One year.
  static let year = Period(12, .month)
}
