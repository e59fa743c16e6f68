/// Selects the price reports that become false; true reports refute each of them.
///
/// The truth must not depend on chance. So a report may become false only if enough other customers
/// reported the true price: at least nine in the thirty days before the report, and nine in the
/// thirty days after it. There is at most one false report per product and currency in sixty days.
/// So in any ninety days before or after a false report, one true price has more reports than all
/// false prices together.
struct ReportFaultPlan {
  private struct Place {
    var at: Int64
    var customer: Int
    var report: Int
    var price: Int64
  }

  /// Currencies that no market of the store uses; `BFD` does not exist.
  private static let strangeCurrencies = [
    "BFD", "UYU", "CHF", "NOK", "SEK", "DKK", "CZK", "HUF", "RON", "AUD", "CAD", "NZD", "MXN",
    "TRY", "ZAR", "INR", "KRW", "THB", "SGD", "ILS",
  ]

  private let plan: StorePlan
  private var random: SampleRandom
  /// The position of the next unused strange currency, per market.
  ///
  /// A market uses each strange currency only once, so that false reports never confirm each other.
  private var nextStrange = [Int](repeating: 0, count: SampleMarket.allCases.count)

  init(plan: StorePlan, seed: UInt64) {
    self.plan = plan
    random = SampleRandom(seed: seed, stream: .max)
  }

  /// Makes some reports of the customers false.
  mutating func addFaults(_ customers: inout [SampleCustomer]) {
    var series: [[Place]] = Array(
      repeating: [], count: SampleProduct.allCases.count * SampleCurrency.allCases.count)
    for (index, customer) in customers.enumerated() where customer.votes {
      for (position, report) in customer.reports.enumerated() where report.fault == .none {
        let currency = report.market.currency
        series[StorePlan.series(report.product, currency)].append(
          Place(
            at: report.shownAt, customer: index, report: position,
            price: report.price))
      }
    }
    for number in series.indices {
      series[number].sort { ($0.at, $0.customer, $0.report) < ($1.at, $1.customer, $1.report) }
      addFaults(in: series[number], &customers)
    }
  }

  private mutating func addFaults(in places: [Place], _ customers: inout [SampleCustomer]) {
    var lastFault = Int64.min / 2
    for (index, place) in places.enumerated() {
      let isDue = place.at - lastFault >= 60 * BillingClock.day
      guard random.happens(perMille: 120), isDue else { continue }
      guard isSurrounded(index, places) else { continue }
      let report = customers[place.customer].reports[place.report]
      guard let fault = chooseFault(for: report) else { continue }
      customers[place.customer].reports[place.report].fault = fault
      if fault == .stale {
        customers[place.customer].reports[place.report].price =
          report.product.basePrice(report.market.currency)
      }
      if case .currency = fault {
        customers[place.customer].reports[place.report].namesStorefront = true
      }
      lastFault = place.at
    }
  }

  private mutating func chooseFault(for report: SampleReport) -> SampleReportFault? {
    let currency = report.market.currency
    if report.purchase < 0 {
      guard let step = plan.step(report.product, currency), report.shownAt >= step.at,
        report.shownAt < step.at + 90 * BillingClock.day
      else { return nil }
      return .stale
    }
    switch random.below(4) {
    case 0: return .cent
    case 1: return .thousandfold
    case 2: return .hundredfold
    default:
      let market = report.market.rawValue
      guard nextStrange[market] < Self.strangeCurrencies.count else { return .cent }
      nextStrange[market] += 1
      return .currency(Self.strangeCurrencies[nextStrange[market] - 1])
    }
  }

  private func isSurrounded(_ index: Int, _ places: [Place]) -> Bool {
    let place = places[index]
    func others(_ positions: some Sequence<Int>) -> Int {
      var voters: Set<Int> = []
      for position in positions {
        let other = places[position]
        guard abs(other.at - place.at) <= 30 * BillingClock.day, voters.count < 9 else { break }
        if other.price == place.price, other.customer != place.customer {
          voters.insert(other.customer)
        }
      }
      return voters.count
    }
    return others((0..<index).reversed()) >= 9 && others((index + 1)..<places.count) >= 9
  }
}
