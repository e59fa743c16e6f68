internal import CivilTime

/// The true causes of differences between complete facts and Apple's reports.
///
/// The store has the purchase behind each line of the reports, so the cause of each event is
/// certain. A charge that no response contains has the cause `receipt_missing`. A charge whose line
/// was deleted from the report has the cause `unexplained`.
struct ReconciliationTruth {
  private struct Key: Hashable {
    var cause: String
    var currency: String
  }

  private let ledger: ReportLedger
  private let subscriptionSpan: ClosedRange<CivilDay>?
  private let salesSpan: ClosedRange<CivilDay>?
  private var sums: [Key: ReconciliationScore.Sum] = [:]

  init(_ ledger: ReportLedger) {
    self.ledger = ledger
    func span(_ days: some Collection<CivilDay>) -> ClosedRange<CivilDay>? {
      days.min().flatMap { first in days.max().map { first...$0 } }
    }
    salesSpan = span(ledger.sales.keys)
    subscriptionSpan = span(Set(ledger.sales.keys).union(ledger.subscriber.keys))
    var lines: [Int: [LedgerEvent]] = [:]
    let all = [(ledger.sales, false), (ledger.subscriber, true)]
    for (report, isSubscriber) in all {
      for line in report.values.joined() where isCompared(line, isSubscriber) {
        if line.number < 0 { add("other_products", apple: line) }
        lines[line.number, default: []].append(line)
      }
    }
    for line in ledger.foreign.values.joined() where covers(line.day, line.product) {
      add("other_products", apple: line)
    }
    for event in ledger.events { add(event, lines[event.number] ?? []) }
  }

  /// The CSV file with the columns `cause,currency,apple_units,our_units,apple_milli,our_milli`.
  var csv: String {
    let lines = sums.sorted { ($0.key.cause, $0.key.currency) < ($1.key.cause, $1.key.currency) }
      .map { key, sum in
        "\(key.cause),\(key.currency),\(sum.appleUnits),\(sum.ourUnits),\(sum.appleMilli),"
          + "\(sum.ourMilli)\n"
      }
    return "cause,currency,apple_units,our_units,apple_milli,our_milli\n" + lines.joined()
  }

  /// Whether a line of a report is compared with the facts.
  ///
  /// False for a subscription's line in a Sales report, if the day has a Subscriber report.
  private func isCompared(_ line: LedgerEvent, _ isSubscriber: Bool) -> Bool {
    isSubscriber
      || !(line.product.isSubscription && ledger.subscriber[line.day] != nil)
  }

  private func covers(_ day: CivilDay, _ product: LedgerProduct) -> Bool {
    ledger.sales[day] != nil || (product.isSubscription && ledger.subscriber[day] != nil)
  }

  private mutating func add(_ event: LedgerEvent, _ lines: [LedgerEvent]) {
    let span = event.product.isSubscription ? subscriptionSpan : salesSpan
    let expected = event.expected.flatMap {
      span?.contains($0.day) == true && $0.milli > 0 ? $0 : nil
    }
    guard event.amount != 0 || expected != nil else { return }
    guard let line = lines.first else {
      if let expected { add(causeWithoutMatch(event, expected), event, expected) }
      return
    }
    for extra in lines.dropFirst() { add(alone(extra), apple: extra) }
    guard let expected else {
      add(event.expected == nil ? alone(line) : "day_boundary", apple: line)
      return
    }
    let distance = abs(line.day.daysSinceEpoch - expected.day.daysSinceEpoch)
    var pair = line
    if line.units > event.units, event.units > 0 {
      // Only the units of the event itself have a row.
      var rest = line
      rest.units = line.units - event.units
      pair.units = event.units
      add(alone(rest), apple: rest)
    }
    let cause = pairCause(event, pair, expected, distance)
    add(cause, apple: pair)
    add(cause, event, expected)
  }

  private func pairCause(
    _ event: LedgerEvent, _ line: LedgerEvent, _ expected: LedgerEvent.ExpectedRow,
    _ distance: Int64
  ) -> String {
    if line.price == 0 { return "not_charged" }
    if line.price != event.price { return event.isRefund ? "proration" : "price" }
    if distance > 1 { return "recovered_late" }
    return Self.month(line.day) == Self.month(expected.day) ? "equal" : "day_boundary"
  }

  /// Determines the cause for a line of Apple's reports that has no row in the facts.
  private func alone(_ line: LedgerEvent) -> String {
    line.units == 0 ? "proration" : line.isRefund ? "refund" : "receipt_missing"
  }

  /// Determines the cause for a row of the facts that has no line in Apple's reports.
  private func causeWithoutMatch(_ event: LedgerEvent, _ expected: LedgerEvent.ExpectedRow)
    -> String
  {
    if event.isRefund { return covers(expected.day, event.product) ? "refund" : "no_report" }
    let days = expected.isLateShown ? -1...16 : Int64(-1)...1
    return days.allSatisfy { covers(expected.day.advanced(by: $0), event.product) }
      ? "unexplained" : "no_report"
  }

  private mutating func add(_ cause: String, apple line: LedgerEvent) {
    guard line.amount != 0 || cause == "not_charged" else { return }
    let key = Key(cause: cause, currency: line.currency)
    sums[key, default: ReconciliationScore.Sum()].appleUnits += line.units
    sums[key]?.appleMilli += line.amount
  }

  private mutating func add(
    _ cause: String, _ event: LedgerEvent, _ expected: LedgerEvent.ExpectedRow
  ) {
    let key = Key(cause: cause, currency: event.currency)
    sums[key, default: ReconciliationScore.Sum()].ourUnits +=
      event.isRefund ? -abs(event.units) : event.units
    sums[key]?.ourMilli += event.isRefund ? -expected.milli : expected.milli
  }

  private static func month(_ day: CivilDay) -> Int { day.date.year * 12 + day.date.month }
}
