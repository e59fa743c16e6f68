internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds the time from which most customers of a storefront report prices in another unit.
///
/// A price is in another unit if it is about 10, 100 or 1,000 times an older price of the product
/// in the storefront, or a tenth, hundredth or thousandth of it. The factor is approximate, because
/// Apple's prices end in 9 or 99: 359.99 HUF becomes 3.99. Two customers must have reported the
/// older price.
struct UnitChangeSearch: Sendable {
  /// The time before and after the change in which customers are compared: 90 days.
  static let reach = Milliseconds.days(90)
  /// The minimum number of customers with the new unit, and of customers with the old unit.
  static let leastVoters = 3
  /// The minimum number of products in the new unit.
  static let leastProducts = 2

  struct Change: Sendable {
    var factor: RebasingFactor
    /// The time from which most customers report prices in the new unit, in Unix milliseconds.
    ///
    /// A report in the new unit has this time.
    var from: Int64
    /// The products with prices in the new unit.
    var markets: Set<MarketIndex>
  }

  /// A report, and the factors between older prices of the product and its price; usually none.
  struct Entry: Sendable {
    var report: MarketReport
    var market: MarketIndex
    var factors: [RebasingFactor]
  }

  /// The reports of the storefront in one currency, oldest first.
  let entries: [Entry]
  /// The voter of each entry, numbered from 0.
  private let voters: DenseNumbers

  /// Reads the reports of a storefront, grouped by product, each group oldest first.
  init(_ reports: [(market: MarketIndex, reports: [MarketReport])]) {
    let entries = reports.flatMap { market, reports in
      let factors = Self.factors(of: reports)
      return reports.map { Entry(report: $0, market: market, factors: factors[$0.price] ?? []) }
    }.sorted {
      ($0.report.time, $0.report.position) < ($1.report.time, $1.report.position)
    }
    self.entries = entries
    voters = DenseNumbers(entries.map { $0.report.voter.rawValue.sortKey })
  }

  /// Returns true if a price of the product is in another unit than an older price.
  static func hasSeveralUnits(_ reports: [MarketReport]) -> Bool { !factors(of: reports).isEmpty }

  /// The factors between each price and older prices of the product, keyed by price.
  private static func factors(of reports: [MarketReport]) -> [Int64: [RebasingFactor]] {
    struct Knowledge {
      var first: Int64
      var voter: Voter
      /// The time at which a second customer first reported the price; `nil` if only one customer
      /// reported the price.
      var known: Int64?
    }
    var prices: [Int64: Knowledge] = [:]
    for report in reports where report.price > 0 {
      guard var price = prices[report.price] else {
        prices[report.price] = Knowledge(first: report.time, voter: report.voter)
        continue
      }
      guard price.known == nil, price.voter != report.voter else { continue }
      price.known = report.time
      prices[report.price] = price
    }
    guard prices.count > 1 else { return [:] }
    return prices.reduce(into: [:]) { factors, new in
      let found = RebasingFactor.usual.filter { factor in
        prices.contains { old, known in
          known.known.map { $0 < new.value.first } ?? false && factor.leads(from: old, to: new.key)
        }
      }
      if !found.isEmpty { factors[new.key] = found }
    }
  }

  /// Finds the earliest change of the unit that most customers report, in at least two products.
  ///
  /// `nil` if there is none.
  func change() -> Change? {
    Set(entries.flatMap(\.factors)).sorted().compactMap(change(by:)).min { $0.from < $1.from }
  }

  private func change(by factor: RebasingFactor) -> Change? {
    let none = UnitTally(factor, voters: voters.keys.count)
    var (before, after) = (none, none)
    var (left, middle, right) = (0, 0, 0)
    for (index, entry) in entries.enumerated() where entry.factors.contains(factor) {
      let time = entry.report.time
      while right < entries.count, entries[right].report.time - time <= Self.reach.rawValue {
        after.add(entries[right], of: voters.numbers[right])
        right += 1
      }
      while middle < index {
        after.remove(entries[middle], of: voters.numbers[middle])
        before.add(entries[middle], of: voters.numbers[middle])
        middle += 1
      }
      while time - entries[left].report.time > Self.reach.rawValue {
        before.remove(entries[left], of: voters.numbers[left])
        left += 1
      }
      if after.others.count >= Self.leastVoters, after.others.count > after.usual.count,
        after.products.count >= Self.leastProducts,
        before.usual.count >= Self.leastVoters, before.usual.count > before.others.count
      {
        return Change(factor: factor, from: time, markets: Set(after.products.keys))
      }
    }
    return nil
  }
}

/// The customers in a window of reports, counted by the unit of their prices.
private struct UnitTally {
  /// The number of customers with a report in the new unit.
  private(set) var others: Count
  /// The number of customers with a report in the usual unit.
  private(set) var usual: Count
  /// The number of each product's reports in the new unit.
  private(set) var products: [MarketIndex: Int] = [:]
  private let factor: RebasingFactor

  init(_ factor: RebasingFactor, voters: Int) {
    self.factor = factor
    others = Count(voters)
    usual = Count(voters)
  }

  mutating func add(_ entry: UnitChangeSearch.Entry, of voter: Int32) {
    guard entry.factors.contains(factor) else { return usual.add(voter) }
    others.add(voter)
    products[entry.market, default: 0] += 1
  }

  mutating func remove(_ entry: UnitChangeSearch.Entry, of voter: Int32) {
    guard entry.factors.contains(factor) else { return usual.remove(voter) }
    others.remove(voter)
    guard let count = products[entry.market] else { return }
    products[entry.market] = count > 1 ? count - 1 : nil
  }

  /// The customers who have reports.
  struct Count {
    private(set) var count = 0
    private var reports: [Int32]

    init(_ voters: Int) { reports = Array(repeating: 0, count: voters) }

    mutating func add(_ voter: Int32) {
      reports[Int(voter)] += 1
      if reports[Int(voter)] == 1 { count += 1 }
    }

    mutating func remove(_ voter: Int32) {
      reports[Int(voter)] -= 1
      if reports[Int(voter)] == 0 { count -= 1 }
    }
  }
}

extension RebasingFactor {
  /// The possible factors: 10, 100, 1,000, a tenth, a hundredth and a thousandth.
  static let usual = [-3, -2, -1, 1, 2, 3].compactMap { RebasingFactor(exponent: $0) }

  /// Returns true if a price in the old unit, converted by this factor, is about the price `new`.
  ///
  /// Both prices are in milliunits; they may differ by an eighth. Example, by a factor of 100:
  /// 359,990 → 3,990.
  func leads(from old: Int64, to new: Int64) -> Bool {
    // Multiplies the smaller of the two prices, to avoid rounding.
    let isSmaller = exponent > 0
    guard let multiplier = isSmaller ? RebasingFactor(exponent: -exponent) : self,
      let enlarged = multiplier.rebased(Milliunits(isSmaller ? new : old))?.rawValue
    else { return false }
    let other = isSmaller ? old : new
    return abs(enlarged - other) <= other / 8
  }
}
