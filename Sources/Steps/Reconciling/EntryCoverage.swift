internal import CivilTime

/// Compares the days of the facts' charges and refunds with the days of Apple's reports.
extension ReconciliationEntry {
  /// The day of the entry, the day before and the day after.
  var nearDays: [CivilDay] { MarketComparison.shifts.map { day.advanced(by: $0) } }

  /// The certainty that Apple's reports contain Apple's charge for the entry.
  func certainty(in appleReports: ReconciledReports) -> MarketComparison.MatchCertainty {
    guard nearDays.allSatisfy({ appleReports.covers($0, isSubscription: isSubscription) }) else {
      return .withGap
    }
    return lateUntil == nil ? .reported : .late
  }

  /// The days on which Apple may have charged for the entry, the most likely first.
  var possibleDays: [CivilDay] {
    let near = nearDays
    guard let lateUntil, lateUntil > day.advanced(by: 1) else { return near }
    return near + (day.daysSinceEpoch + 2...lateUntil.daysSinceEpoch).map(CivilDay.init)
  }

  /// Returns the cause of a charge or refund of the facts without a counterpart in Apple's reports.
  func causeWithoutMatch(in appleReports: ReconciledReports) -> ReconciliationCause {
    let isMissing: (CivilDay) -> Bool = { !appleReports.covers($0, isSubscription: isSubscription) }
    if isRefund { return isMissing(day) ? .noReport : .refund }
    if appleReports.detailDays.contains(day) { return .settlement }
    if possibleDays.contains(where: isMissing) { return .noReport }
    if isSubscription && appleReports.mayBeUnmapped(productID, on: day) { return .unmapped }
    return amount == nil ? .unknownAmount : .unexplained
  }
}
