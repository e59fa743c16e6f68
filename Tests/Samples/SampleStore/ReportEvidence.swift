/// The evidence of all price reports, from which ``Resolver`` decides which amounts are resolvable.
///
/// Only true reports and out-of-date reports are included. Reports that are false in another way
/// change nothing, because ``ReportFaultPlan`` makes a report false only if true reports shortly
/// before and after refute the false price.
struct ReportEvidence {
  /// The voters who reported the regular price of one product in one currency.
  struct Series {
    /// The voters who reported the old price before the price changed.
    ///
    /// If the price never changes, these are all voters.
    var votersBefore: Set<Int64> = []
    /// The voters who reported the new price.
    var votersAfter: Set<Int64> = []
    /// The voters who still reported the old price after the price changed.
    var staleVoters: Set<Int64> = []
    /// The time of the first true report of the new price.
    var firstAfter = Int64.max
  }

  private let plan: StorePlan
  private var series: [Series]
  private var introductoryVoters: [Int]
  private var offerVoters: [String: Int] = [:]
  private var marketVoters: [Int]

  /// Reads the reports of all customers whose reports are evidence (``SampleCustomer/votes``).
  init(_ customers: [SampleCustomer], plan: StorePlan) {
    self.plan = plan
    let currencies = SampleCurrency.allCases.count
    let markets = SampleMarket.allCases.count
    series = Array(repeating: Series(), count: SampleProduct.allCases.count * currencies)
    introductoryVoters = Array(repeating: 0, count: SampleProduct.allCases.count * markets)
    marketVoters = Array(repeating: 0, count: markets)
    for (index, customer) in customers.enumerated() where customer.votes {
      for (position, report) in customer.reports.enumerated() {
        count(report, voter: Int64(index) << 16 | Int64(customer.voter(position)))
      }
    }
  }

  private mutating func count(_ report: SampleReport, voter: Int64) {
    let currency = report.market.currency
    let index = StorePlan.series(report.product, currency)
    let isAfter = plan.step(report.product, currency).map { report.shownAt >= $0.at } ?? false
    if report.fault == .stale {
      series[index].staleVoters.insert(voter)
      return
    }
    guard report.fault == .none else { return }
    if isAfter {
      series[index].votersAfter.insert(voter)
      series[index].firstAfter = min(series[index].firstAfter, report.shownAt)
    } else {
      series[index].votersBefore.insert(voter)
    }
    marketVoters[report.market.rawValue] += report.namesStorefront ? 1 : 0
    introductoryVoters[introductory(report.product, report.market)] +=
      report.namesStorefront ? 1 : 0
    guard report.hasDiscounts else { return }
    for offer in report.product.promotionalOffers(currency) {
      offerVoters["\(index) \(offer.identifier)", default: 0] += 1
    }
  }

  private func introductory(_ product: SampleProduct, _ market: SampleMarket) -> Int {
    product.rawValue * SampleMarket.allCases.count + market.rawValue
  }

  /// Whether the reports determine the list price at a moment; then the rules must find this price.
  ///
  /// The reports must have enough voters:
  /// - Without a price change, one voter is enough.
  /// - With a change in the catalogue, one voter is enough for the old price. The new price needs
  ///   more voters than still reported the old price after the change.
  /// - With a change that the catalogue lacks, the old price needs two voters. The new price needs
  ///   two voters, and more than still reported the old price after the change. The moment must not
  ///   lie between the change and the first report of the new price.
  func isFirm(_ product: SampleProduct, _ currency: SampleCurrency, at moment: Int64) -> Bool {
    let series = series[StorePlan.series(product, currency)]
    guard let step = plan.step(product, currency) else { return !series.votersBefore.isEmpty }
    if step.isInCatalogue {
      return moment < step.at
        ? !series.votersBefore.isEmpty : series.votersAfter.count > series.staleVoters.count
    }
    return series.votersBefore.count >= 2 && series.votersAfter.count >= 2
      && series.votersAfter.count > series.staleVoters.count
      && (moment < step.at || moment >= series.firstAfter)
  }

  /// Whether a true report shows the introductory price of a product in a market.
  ///
  /// The report must have the market's storefront.
  func hasIntroductory(_ product: SampleProduct, in market: SampleMarket) -> Bool {
    introductoryVoters[introductory(product, market)] > 0
  }

  /// Whether a true report has the price of a promotional offer in a currency.
  func hasOffer(_ identifier: String, of product: SampleProduct, _ currency: SampleCurrency) -> Bool
  {
    offerVoters["\(StorePlan.series(product, currency)) \(identifier)", default: 0] > 0
  }

  /// Whether the rules can find the currency of a market.
  ///
  /// The rules find the currency in reports with the market's storefront. Without these reports,
  /// they use the built-in table, which is wrong for one market of the sample store: Kuwait.
  func knowsCurrency(of market: SampleMarket) -> Bool {
    market != .kwt || marketVoters[market.rawValue] > 0
  }
}

extension SampleCustomer {
  /// Whether the customer's reports are evidence.
  ///
  /// `false` for a customer of the sandbox, and for a customer whom the truth lacks.
  var votes: Bool { !isSandbox && isInTruth }

  /// The voter of a report, as a number that is unique within the customer.
  ///
  /// The voter is the customer, else the chain of the report's purchase, else the report itself.
  func voter(_ position: Int) -> Int {
    let report = reports[position]
    if !id.isEmpty, report.namesCustomer { return 0 }
    guard report.purchase >= 0 else { return 0x8000 | position & 0x7fff }
    let original = purchases[report.purchase].originalID
    return 1 + (purchases.firstIndex { $0.originalID == original } ?? 0) & 0x7ffe
  }
}
