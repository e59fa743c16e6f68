internal import Foundation
internal import GRDB
internal import SampleStore

extension StoreFolder {
  /// Runs the pipeline without Apple's reports, then with them, and adds the results to a score.
  func compare(_ score: inout ReconciliationScore) throws {
    guard
      let truth = StoreTruth(
        purchasesCSV: try text("truth.csv"), offersCSV: try text("truth-offers.csv"))
    else { throw BenchFailure("\(path)/truth.csv: not as paidline-sample writes it") }
    let rates = try rates()
    guard
      let expected = ReconciliationScore.expected(csv: try text("truth-books.csv"), perEuro: rates)
    else { throw BenchFailure("\(path)/truth-books.csv: not as paidline-sample writes it") }
    let without = try amountsWithoutReports()
    try? FileManager.default.removeItem(atPath: "\(path)/var")
    _ = try MeasuredRun(pipeline: "\(path)/pipeline.yaml", jobs: nil)
    score.add(expected: expected, found: try found(rates))
    let with = try amounts()
    var counts = (right: 0, worsened: 0, corrected: 0)
    for purchase in truth.purchases where purchase.exclusion.isEmpty {
      for id in purchase.transactionIDs {
        guard let before = without[id], let after = with[id] else { continue }
        let isRight = { (amount: Amount) in
          amount.milli == purchase.paidMilli
            && (amount.milli == 0 || amount.currency == purchase.currency)
        }
        if isRight(before) {
          counts.right += 1
          if !isRight(after) { counts.worsened += 1 }
        } else if isRight(after) {
          counts.corrected += 1
        }
      }
    }
    score.add(right: counts.right, worsened: counts.worsened, corrected: counts.corrected)
  }

  /// Compares the published comparison with the best assignment.
  func assignments() throws -> ComparedAssignments { try read { try ComparedAssignments($0) } }

  private func amountsWithoutReports() throws -> [String: Amount] {
    let pipeline = try text("pipeline.yaml").split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .filter { !$0.hasPrefix("  apple_reports:") }.joined(separator: "\n")
    let other = "\(path)/pipeline-without-reports.yaml"
    try pipeline.write(toFile: other, atomically: true, encoding: .utf8)
    try? FileManager.default.removeItem(atPath: "\(path)/var")
    _ = try MeasuredRun(pipeline: other, jobs: nil)
    return try amounts()
  }

  /// An amount in thousandths of its currency; both members are `nil` if unknown.
  private struct Amount {
    var milli: Int64?
    var currency: String?
  }

  /// Reads the amount of each purchase, keyed by transaction id, from the warehouse.
  private func amounts() throws -> [String: Amount] {
    try read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT transaction_id, paid_milli, currency FROM fct_revenue")
      return Dictionary(
        rows.map { ($0[0] as String, Amount(milli: $0[1], currency: $0[2])) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  private func found(_ rates: [String: Int64]) throws -> [String: ReconciliationScore.Sum] {
    try read { db in
      var sums: [String: ReconciliationScore.Sum] = [:]
      for row in try Row.fetchAll(
        db,
        sql: """
          SELECT cause, currency, SUM(apple_units), SUM(our_units), SUM(apple_milli), SUM(our_milli)
          FROM audit_reconciliation GROUP BY cause, currency
          """)
      {
        sums[row[0], default: .init()].add([row[2], row[3], row[4], row[5]], in: row[1], rates)
      }
      return sums
    }
  }

  private func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: "\(path)/var/warehouse.db", configuration: configuration)
      .read(body)
  }
}
