internal import Foundation
internal import SampleStore

/// A folder with a store, its pipeline and its truth.
struct StoreFolder {
  let path: String

  /// Removes the store's databases, runs the pipeline, and compares the facts with the truth.
  func score() throws -> AccuracyScore {
    guard
      let truth = StoreTruth(
        purchasesCSV: try text("truth.csv"), offersCSV: try text("truth-offers.csv"))
    else { throw BenchFailure("\(path)/truth.csv: not as paidline-sample writes it") }
    try? FileManager.default.removeItem(atPath: "\(path)/var")
    _ = try MeasuredRun(pipeline: "\(path)/pipeline.yaml", jobs: nil)
    let facts = try PublishedFacts(warehouse: "\(path)/var/warehouse.db")
    return AccuracyScore(
      truth, purchases: facts.purchases, offers: facts.offers, perEuro: try rates())
  }

  /// Reads the newest exchange rates, keyed by currency code.
  ///
  /// A rate is the value of one euro in millionths of the currency: 1.08 dollars → 1,080,000.
  func rates() throws -> [String: Int64] {
    let lines = try text("eurofxref-hist.csv").split(separator: "\n").prefix(2).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard lines.count == 2 else { throw BenchFailure("\(path)/eurofxref-hist.csv: no rates") }
    var rates: [String: Int64] = [:]
    for (code, rate) in zip(lines[0], lines[1]).dropFirst() {
      if let value = Double(rate) { rates[String(code)] = Int64((value * 1_000_000).rounded()) }
    }
    return rates
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}
