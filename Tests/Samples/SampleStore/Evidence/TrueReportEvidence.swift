internal import PurchaseModel

/// The prices that true reports show; only a synthetic store knows which reports are true.
///
/// A report of another store, of a test file, or with the id of another product than its purchase
/// is no evidence, and neither is a price of 0 for an offer that is not free.
///
/// A report is **true** if it agrees with the price list of its storefront and time; every other
/// report is **false**. A price is **shown** at a moment under four conditions:
/// 1. Enough customers sent a true report of the price while it was in force. One customer is
///    enough if the price never changes. Two are enough for the first and the last price of the
///    list, and if the catalogue has the first or the last day of the price. Otherwise three are
///    needed. If the storefront's price differs from the price of most storefronts with the
///    currency, three customers of this storefront are needed.
/// 2. One of these reports is not later than the moment, and one is not earlier. For the first
///    price of the list, no report before the moment is needed; for the last price, none after
///    it is needed. The same holds if the catalogue has the day of the change before or after the
///    moment. If a change of currency began or ended the price, reports of any product in the
///    currency are enough. A change in only one storefront must be reported by its own customers.
/// 3. The moment is not earlier than the exports, because there were no reports then.
/// 4. Within ``nearDays`` days before and after the moment, more customers send a true report of
///    the price than a false report of any other single price.
struct TrueReportEvidence: Sendable {
  /// The number of days before and after a moment within which false and true reports are compared.
  static let nearDays: Int64 = 45
  /// The number of days before and after a moment within which reports show if a price is common.
  static let compareDays: Int64 = 90

  struct TrueReport {
    var time: Int64
    var person: Int
  }

  /// A false report: it contradicts the price list.
  struct FalseReport {
    var time: Int64
    var person: Int
    /// The storefront of the report; `nil` if it has none.
    var storefront: Int?
    var terms: PriceTerms
  }

  let households: Households
  let world: World
  private(set) var levels: [PriceSubject: [[PriceLevel]]] = [:]
  private(set) var trueReports: [PriceSubject: [[TrueReport]]] = [:]
  private(set) var falseReports: [PriceSubject: [FalseReport]] = [:]
  /// The currencies in true reports of any product, with the times of the reports.
  ///
  /// The outer index is the storefront. Reports whose storefront the exports do not show are left
  /// out.
  private(set) var currencies: [[(time: Int64, currency: WorldCurrency)]]

  /// Reads the reports of all accounts whose purchases are revenue.
  init(_ world: World, _ accounts: [Account]) {
    self.world = world
    households = Households(accounts)
    currencies = Array(repeating: [], count: world.storefronts.count)
    for product in world.products.indices {
      prepare(.regular(product))
      guard world.products[product].isSubscription else { continue }
      prepare(.introductory(product))
      if world.commitments[product] != nil { prepare(.instalment(product)) }
      for offer in world.offers.promotional[product] {
        prepare(.promotional(product, offer.identifier))
      }
    }
    for account in accounts
    where !account.isSandbox && account.isInTruth && world.apps.contains(account.bundle) {
      for index in account.prices.indices where !isForeign(index, in: account) {
        read(index, of: account)
      }
    }
    for subject in trueReports.keys {
      for storefront in world.storefronts.indices {
        trueReports[subject]?[storefront].sort { ($0.time, $0.person) < ($1.time, $1.person) }
      }
      falseReports[subject]?.sort { ($0.time, $0.person) < ($1.time, $1.person) }
    }
  }

  private mutating func prepare(_ subject: PriceSubject) {
    levels[subject] = world.storefronts.indices.map { subject.levels(in: world, $0) }
    trueReports[subject] = Array(repeating: [], count: world.storefronts.count)
    falseReports[subject] = []
  }

  private mutating func read(_ index: Int, of account: Account) {
    let report = account.prices[index]
    let time = report.time(in: account)
    let isPlaced = households.isPlaced(index, in: account)
    let displayed = report.displayed
    func read(_ subject: PriceSubject, _ price: Int64, _ offer: WorldOffer?) {
      let terms = PriceTerms(currency: displayed.currency, price: price, offer: offer)
      if level(subject, report.storefront, at: time)?.terms == terms {
        if isPlaced { currencies[report.storefront].append((time, terms.currency)) }
        guard isPlaced || isAlike(subject, terms, at: time) else { return }
        trueReports[subject]?[report.storefront].append(
          TrueReport(time: time, person: account.number))
      } else {
        falseReports[subject]?.append(
          FalseReport(
            time: time, person: account.number, storefront: isPlaced ? report.storefront : nil,
            terms: terms))
      }
    }
    let payment = level(.instalment(report.product), report.storefront, at: time)?.terms?.price
    read(
      displayed.price == payment ? .instalment(report.product) : .regular(report.product),
      displayed.price, nil)
    if let offer = displayed.introductory, offer.price > 0 || offer.offer.mode == .freeTrial {
      read(.introductory(report.product), offer.price, offer.offer)
    }
    guard report.hasDiscounts else { return }
    for offer in displayed.discounts {
      read(.promotional(report.product, offer.offer.identifier), offer.price, offer.offer)
    }
  }

  /// Whether a report is about another store, a test file, or the purchase of another product.
  private func isForeign(_ index: Int, in account: Account) -> Bool {
    let report = account.prices[index]
    return report.isForeign || report.namedProduct != nil
  }

  // MARK: - Levels

  /// The position of the price level that is in force at a moment.
  func position(_ levels: [PriceLevel], at moment: Int64) -> Int {
    (levels.lastIndex { $0.from <= moment }) ?? 0
  }

  /// The price level of a subject that is in force in a storefront at a moment.
  func level(_ subject: PriceSubject, _ storefront: Int, at moment: Int64) -> PriceLevel? {
    guard let levels = levels[subject]?[storefront], !levels.isEmpty else { return nil }
    return levels[position(levels, at: moment)]
  }

  /// Whether, at a moment, all storefronts with the currency of a price have this price.
  func isAlike(_ subject: PriceSubject, _ terms: PriceTerms, at moment: Int64) -> Bool {
    world.storefronts.indices.allSatisfy { storefront in
      let other = level(subject, storefront, at: moment)?.terms
      return other == nil || other?.currency != terms.currency || other == terms
    }
  }
}
