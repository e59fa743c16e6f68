internal import Amounts
internal import PurchaseModel

/// Decides which reported prices are those of an instalment, such as a month of a yearly plan.
///
/// A phone may show the price of the year, of one month, or of twelve months together, whatever the
/// customer pays. So the price decides, not the purchase: a price times the number of payments is
/// near the price of the whole period, namely between 0.8 and 1.6 times this price. A report
/// without such a purchase needs two customers who show the same price with theirs, or three who
/// show it at all. Then it must not be an equal share of the commonest price, because some SDKs
/// divide the price of the whole period.
///
/// Example: `pro.yearly` costs 89.99 USD, or 8.99 a month. A report of 8.99 is a price of the
/// month:
/// 12 × 8.99 = 107.88. A report of 89.99 is a price of the year, even if its purchase is a month.
struct InstalmentPrices: Sendable {
  /// The instalment of each report with the price of an instalment; keyed by position.
  private(set) var paid: [Int: Instalment] = [:]
  /// The positions of reports whose purchase is an instalment, but whose price is neither that of
  /// an instalment nor that of a whole period, as far as is known.
  ///
  /// They have no vote.
  private(set) var unclear: Set<Int> = []

  /// Creates a result in which all prices pay for a whole period.
  init() {}

  /// Decides on all reports of the products that have instalments.
  init(_ placed: [PlacedReport], catalogue: Catalogue) {
    var kinds: [ProductID: Set<Instalment>] = [:]
    for report in placed {
      guard let instalment = report.instalment else { continue }
      kinds[report.productID, default: []].insert(instalment)
    }
    guard !kinds.isEmpty else { return }
    var lists: [List: [Int]] = [:]
    for (position, report) in placed.enumerated() where kinds[report.productID] != nil {
      lists[List(product: report.productID, currency: report.currency), default: []]
        .append(position)
    }
    for (list, positions) in lists {
      decide(
        positions.map { ($0, placed[$0]) }, (kinds[list.product] ?? []).sorted(),
        listed: catalogue.products[list.product]?.prices.lazy
          .filter { $0.currency == list.currency }.map(\.price.rawValue) ?? [])
    }
  }

  private struct List: Hashable {
    var product: ProductID
    var currency: Currency
  }

  /// Decides on the reports of one product in one currency.
  private mutating func decide(
    _ reports: [(position: Int, report: PlacedReport)], _ instalments: [Instalment],
    listed: [Int64]
  ) {
    var voters: [Int64: Set<Voter>] = [:]
    var wholes = Set(listed)
    for (_, report) in reports where report.setAside == nil {
      voters[report.price.rawValue, default: []].insert(report.voter)
      // A purchase of a whole period was shown with its own price.
      if report.instalment == nil { wholes.insert(report.price.rawValue) }
    }
    let shared = Set(voters.filter { $0.value.count >= Self.leastVoters }.keys)
    let known = wholes.union(shared)
    let commonest = voters.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
    func isPart(_ price: Int64, _ kind: Instalment) -> Bool {
      known.contains { Self.isPart(price, of: $0, kind.count) }
    }
    // The prices of instalments that are shown with their purchases, with the voters.
    var parts: [Part: Set<Voter>] = [:]
    for (_, report) in reports where report.setAside == nil {
      guard let kind = report.instalment, isPart(report.price.rawValue, kind) else { continue }
      parts[Part(price: report.price.rawValue, kind: kind), default: []].insert(report.voter)
    }
    for (position, report) in reports {
      let price = report.price.rawValue
      if report.isSigned || report.instalment.map({ isPart(price, $0) }) ?? false {
        paid[position] = report.instalment
      } else if report.instalment == nil {
        let isShown = voters[price]?.count ?? 0 > Self.leastVoters
        paid[position] = instalments.first { kind in
          parts[Part(price: price, kind: kind)]?.count ?? 0 >= Self.leastVoters
            || isShown && isPart(price, kind)
              && !(commonest.map { Self.isShare(price, of: $0, kind.count) } ?? false)
        }
      } else if let kind = report.instalment, !wholes.contains(price),
        !shared.contains(where: { Self.isPart($0, of: price, kind.count) })
      {
        unclear.insert(position)
      }
    }
  }

  /// A price of an instalment.
  private struct Part: Hashable {
    var price: Int64
    var kind: Instalment
  }

  /// The minimum number of voters for a price with which others are compared.
  private static let leastVoters = 2

  /// Returns true if a price, times a number of payments, is the price of a whole period within one
  /// percent.
  private static func isShare(_ price: Int64, of whole: Int64, _ count: Int32) -> Bool {
    let (sum, overflow) = price.multipliedReportingOverflow(by: Int64(count))
    return !overflow && abs(sum - whole) * 100 <= whole
  }

  /// Returns true if a price, times a number of payments, is near the price of a whole period.
  private static func isPart(_ price: Int64, of whole: Int64, _ count: Int32) -> Bool {
    let (sum, overflow) = price.multipliedReportingOverflow(by: 10 * Int64(count))
    guard !overflow, price > 0, whole < .max / 16 else { return false }
    return sum >= 8 * whole && sum <= 16 * whole
  }
}
