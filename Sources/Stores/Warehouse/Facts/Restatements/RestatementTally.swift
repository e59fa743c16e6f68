internal import CivilTime
internal import SharedTables

extension RestatedMetric {
  /// The amount or number that a row adds to the metric; 0 for a missing row.
  func value(of row: RestatedRow?) -> Int64 {
    guard let row else { return 0 }
    return switch self {
    case .gross: row.paid ?? 0
    case .net: (row.paid ?? 0) - row.refunded
    case .unresolvedRows: row.paid == nil ? 1 : 0
    }
  }
}

/// Sums the changes of all rows by metric, day, currency and cause.
struct RestatementTally {
  private struct Key: Hashable {
    var metric: RestatedMetric
    var day: String
    var currency: String
    var cause: RestatementCause
  }

  private struct Sums {
    var old: Int64 = 0
    var new: Int64 = 0
    var rows: Int64 = 0
  }

  /// The last published day; changes of days after it are ignored.
  let through: String
  private var sums: [Key: Sums] = [:]

  init(through: CivilDay) {
    self.through = through.text
  }

  /// Adds one row that was added, removed or changed.
  ///
  /// `cause` is the cause for all metrics, with one exception: if the row's refund changed, the
  /// cause for the metric `net` is `refund`. A row that moved to another day or currency is
  /// subtracted from the old day or currency, and added to the new day or currency.
  mutating func add(from old: RestatedRow?, to new: RestatedRow?, cause: RestatementCause) {
    let isShareNew = old?.paid == new?.paid && old?.refunded != new?.refunded
    let isRefundNew =
      old != nil && new != nil && (old?.isRefunded != new?.isRefunded || isShareNew)
    let stays = old?.day == new?.day && old?.currency == new?.currency
    for metric in RestatedMetric.allCases {
      let (before, after) = (metric.value(of: old), metric.value(of: new))
      let cause = metric == .net && isRefundNew ? .refund : cause
      if stays, before == after { continue }
      if stays {
        count(metric, of: old, cause: cause, old: before, new: after)
      } else {
        count(metric, of: old, cause: cause, old: before, new: 0)
        count(metric, of: new, cause: cause, old: 0, new: after)
      }
    }
  }

  private mutating func count(
    _ metric: RestatedMetric, of row: RestatedRow?, cause: RestatementCause, old: Int64, new: Int64
  ) {
    guard let row, old != new, row.day <= through else { return }
    let key = Key(metric: metric, day: row.day, currency: row.currency, cause: cause)
    // The sum may wrap, but does not trap. The sums over all facts have already been checked.
    sums[key, default: Sums()].old &+= old
    sums[key, default: Sums()].new &+= new
    sums[key, default: Sums()].rows += 1
  }

  /// The changes, sorted by metric, day, currency and cause.
  func restatements(ofRun run: Int64) -> [Restatement] {
    sums.compactMap { key, sums in
      CivilDay(text: key.day).map { day in
        Restatement(
          runID: run, metric: key.metric, day: day, currency: key.currency, cause: key.cause,
          old: sums.old, new: sums.new, rows: sums.rows)
      }
    }
    .sorted {
      ($0.metric.rawValue, $0.day, $0.currency, $0.cause.rawValue)
        < ($1.metric.rawValue, $1.day, $1.currency, $1.cause.rawValue)
    }
  }
}
