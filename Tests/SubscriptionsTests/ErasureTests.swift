internal import Deciding
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import TestSupport
internal import Testing

/// Erasing customers: the facts that change, and the facts that must stay the same.
struct ErasureTests {
  /// Everything that is computed from a store.
  private struct Facts {
    var book: PurchaseHistory
    var amounts: PaidAmountResults
    var prices: PriceBook
    var subscriptions: SubscriptionResults
    var eligibility: [OfferEligibility]

    init(_ store: BuiltStore, erased: Set<String>) throws {
      var set = store.observations
      set.customers.markErased(
        erased.compactMap { set.symbols.symbol($0).map(CustomerID.init) })
      let store = try DecidedStore(set, catalogue: store.catalogue)
      let decided = store.decided
      prices = store.prices
      book = decided.purchases
      amounts = decided.amounts
      subscriptions = decided.subscriptions
      eligibility = decided.eligibility
    }
  }

  /// A store in which several customers are in equally new records of one chain.
  ///
  /// Each customer's reports have another price, so the choice of the customer decides the amount.
  ///
  /// All other texts come before the customers' ids in byte order, so that symbols keep their
  /// numbers.
  private func store(_ seed: UInt64, name: (String) -> String) -> BuiltStore {
    var random = SeededGenerator(seed: seed)
    var store = StoreBuilder()
    let customers = (0..<8).map { "c-\($0)" }
    func anyone() -> String { name(customers.randomElement(using: &random) ?? "c-0") }
    for chain in 0..<12 {
      for number in 0..<Int.random(in: 1...4, using: &random) {
        let month = 1 + number
        let row = StoreRow(
          "T\(chain)N\(number)", of: "T\(chain)", item: "T\(chain)N\(number)", product: "PRO",
          bought: "2021-0\(month)-03", until: "2021-0\(month + 1)-03",
          trial: number == 0 && chain % 3 == 0, group: "G")
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          store.record(
            at: "2021-06-0\(Int.random(in: 1...2, using: &random))", customer: anyone(),
            storefront: ["USA", "DEU"].randomElement(using: &random), latest: [row])
        }
      }
    }
    for _ in 0..<25 {
      store.report(
        at: "2021-0\(Int.random(in: 1...5, using: &random))-02", customer: anyone(), product: "PRO",
        price: "\(Int.random(in: 8...12, using: &random)).99")
    }
    return store.build()
  }

  @Test(arguments: 1...60)
  func `changes whose rows they are, and no amount, rule or status`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000_000)
    let erased = Set((0..<8).filter { _ in Bool.random(using: &random) }.map { "c-\($0)" })
    // The pseudonym that replaces an id in state.db.
    //
    // It has the rank of the id's hash, followed by a keyed hash.
    func pseudonym(_ id: String) -> String {
      CustomerOrder.erasedPrefix + CustomerOrder.rank(of: id.utf8) + "f\(id.utf8.last ?? 0)"
    }
    func name(_ id: String) -> String { erased.contains(id) ? pseudonym(id) : id }
    let before = try Facts(store(seed) { $0 }, erased: [])
    let after = try Facts(store(seed, name: name), erased: Set(erased.map(pseudonym)))

    #expect(before.book.purchases == after.book.purchases, "seed \(seed)")
    #expect(before.amounts.amounts == after.amounts.amounts, "seed \(seed)")
    #expect(before.prices.reportVerdicts == after.prices.reportVerdicts, "seed \(seed)")
    #expect(before.prices.history.intervals == after.prices.history.intervals, "seed \(seed)")
    #expect(before.subscriptions.conversions == after.subscriptions.conversions, "seed \(seed)")
    #expect(
      before.subscriptions.subscriptions == after.subscriptions.subscriptions, "seed \(seed)")
    #expect(before.eligibility.count == after.eligibility.count, "seed \(seed)")
  }
}
