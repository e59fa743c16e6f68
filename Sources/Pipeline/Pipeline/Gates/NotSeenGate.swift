internal import Amounts
internal import Diagnostics
internal import Warehouse

/// The gate `not_seen`: nobody has asked Apple about subscriptions since they ended.
///
/// Whether they were renewed is not known, so the newest months have too little revenue. Example:
/// 306 of 310 subscriptions that end in May have no snapshot after May; most of them still run.
enum NotSeenGate {
  /// The largest accepted share of subscriptions that are not seen, in hundredths.
  private static let largestShare = 2

  /// Returns a finding if too many subscriptions are not seen; else `nil`.
  ///
  /// - Parameter isOfExportsAlone: Whether the pipeline has only a hosted service's export, so that
  ///   Apple cannot be asked.
  static func finding(
    _ facts: ExaminedFacts, pipelinePath: String, isOfExportsAlone: Bool
  ) -> GateFinding? {
    let count = facts.sums[FactSums.notSeen]
    let known = facts.sums[FactSums.running]
    guard 100 * count > largestShare * (count + known) else { return nil }
    let subscriptions = Count.text(count, "subscription")
    let (they, are) = count == 1 ? ("it", "is") : ("they", "are")
    let nobody =
      isOfExportsAlone ? "the exports do not say what became of" : "nobody has asked Apple about"
    var finding = GateFinding(
      .notSeen,
      [
        GateFinding.Item(
          subject: "subscriptions", found: "\(count) of \(count + known) not seen",
          expected: "at most \(largestShare) %")
      ],
      message: """
        \(nobody) \(subscriptions)\(lastPaid(facts)) since \(they) ended, so whether \(they) \
        \(count == 1 ? "was" : "were") renewed is not known: \(they) \(are) not_seen, not expired. \
        Days on which such subscriptions are more than 1 % are not complete.
        """, fault: "not_seen")
    let path = OneLine.text(pipelinePath)
    finding.remedy =
      isOfExportsAlone
      ? "Export the service's whole table again, which has the renewals since; then run again."
      : """
      Send their receipts to Apple again with "paidline-validate \(path) --older-than 7d", or ask by \
      transaction id with "paidline-fetch history \(path) --older-than 7d"; then run again.
      """
    finding.duration = .standing
    finding.page = .gates
    return finding
  }

  /// Formats what the subscriptions paid for their last periods, in the currencies with most money.
  ///
  /// Example: ` (last paid 3058.94 USD, 99.90 EUR)`.
  private static func lastPaid(_ facts: ExaminedFacts) -> String {
    let paid = facts.sums.counts(named: FactSums.notSeenPaid)
      .compactMap { key, milli in
        key.currency.flatMap { Currency($0) }.map { (currency: $0, milli: Int64(milli)) }
      }
      .filter { $0.milli > 0 }
      .sorted { ($1.milli, $0.currency.code) < ($0.milli, $1.currency.code) }
    guard !paid.isEmpty else { return "" }
    let largest = paid.prefix(3)
      .map { Milliunits($0.milli).text(in: $0.currency) }
      .joined(separator: ", ")
    return " (last paid \(largest)\(paid.count > 3 ? " and more in other currencies" : ""))"
  }
}
