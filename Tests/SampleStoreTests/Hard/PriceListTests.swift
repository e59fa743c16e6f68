internal import CivilTime
internal import PurchaseModel
internal import Testing

@testable internal import SampleStore

/// Apple's price lists and their effect on existing subscribers, computed by hand.
struct PriceListTests {
  private static let day: Int64 = 86_400_000
  private let dollar = WorldCurrency.named("USD")
  private let products = [
    WorldProduct(id: "month", kind: .autoRenewableSubscription, dollars: 9_990, weight: 1)
  ]
  private var lists: PriceLists { PriceLists(products, WorldStorefront.all) }

  @Test(arguments: [
    ("EUR", 9_250, 8_990), ("EUR", 9_480, 8_990), ("EUR", 9_490, 9_990), ("EUR", 400, 490),
    ("JPY", 1_489_000, 1_500_000), ("JPY", 420_000, 400_000), ("KWD", 3_070, 2_990),
    ("INR", 349_000, 349_990),
  ])
  func `a price is one that Apple's list would have`(code: String, amount: Int64, price: Int64) {
    #expect(WorldCurrency.named(code).price(near: amount) == price)
  }

  @Test func `a dollar price is worth as much elsewhere`() {
    // 9.99 / 1.08 * 160 = 1480 yen; the nearest price on Apple's list is 1500.
    let japan = WorldStorefront.all.firstIndex { $0.code == "JPN" } ?? 0
    #expect(lists.step(0, japan, at: 0).price == 1_500_000)
    #expect(WorldCurrency.named("KWD").text(2_990) == "2.990")
    #expect(WorldCurrency.named("JPY").text(1_500_000) == "1500")
  }

  @Test func `a change holds from its day, and later steps stay in proportion`() {
    var lists = lists
    lists.scale(0, 0, from: 20 * Self.day, percent: 120, .preserved, isCatalogued: true)
    lists.scale(0, 0, from: 10 * Self.day, percent: 50, .everyone)
    #expect(lists.steps(0, 0).map(\.price) == [9_990, 4_990, 5_990])
    #expect(lists.step(0, 0, at: 10 * Self.day - 1).price == 9_990)
    #expect(lists.step(0, 0, at: 10 * Self.day).price == 4_990)
    #expect(lists.steps(0, 0).map(\.isCatalogued) == [false, false, true])
    #expect(lists.step(0, 1, at: 30 * Self.day).price == 9_990, "another storefront")
  }

  @Test func `a sale comes back, and offers cost no more than it`() {
    var world = World(seed: 1, firstDay: CivilDay(daysSinceEpoch: 19_000), days: 300)
    let price = world.prices.step(0, 0, at: 0).price
    let sale = (world.midnight(perCent: 10), world.midnight(perCent: 15))
    world.prices.dip(
      0, 0, from: sale.0, to: sale.1, percent: 50, back: .moved, isCatalogued: false)
    #expect(world.prices.steps(0, 0).count == 3)
    #expect(world.prices.step(0, 0, at: sale.1).price == price)
    let half = WorldOffer.reduced(world.products[0], times: 3, percent: 50, "half")
    let before = world.priced(half, 0, 0, at: sale.0 - 1).price
    let during = world.priced(half, 0, 0, at: sale.0).price
    #expect(during < before && before < price)
  }

  @Test func `a storefront that joins a currency has the prices of its largest storefront`() {
    var lists = lists
    let poland = WorldStorefront.all.firstIndex { $0.code == "POL" } ?? 0
    let germany = WorldStorefront.all.firstIndex { $0.code == "DEU" } ?? 0
    lists.scale(0, germany, from: 50 * Self.day, percent: 130, .moved, isCatalogued: true)
    lists.switchCurrency(
      0, poland, at: 20 * Self.day, to: .named("EUR"), following: germany)
    #expect(lists.step(0, poland, at: 19 * Self.day).currency.code == "PLN")
    let joined = lists.step(0, poland, at: 20 * Self.day)
    #expect(joined.currency.code == "EUR" && joined.effect == .currency)
    #expect(joined.price == lists.step(0, germany, at: 20 * Self.day).price)
    #expect(
      lists.step(0, poland, at: 50 * Self.day) == lists.step(0, germany, at: 50 * Self.day))
  }

  // MARK: - Who subscribes

  private func step(_ price: Int64, _ effect: PriceStep.Effect) -> PriceStep {
    PriceStep(at: 0, currency: dollar, price: price, effect: effect, offerBase: price)
  }

  @Test func `a rise does to subscribers what the owner chose, and a cut reaches all`() {
    let held = HeldPrice(price: 9_990, currency: dollar, since: 0)
    func charged(_ steps: PriceStep...) -> Int64 { held.charged(after: steps).price.price }
    #expect(charged() == 9_990)
    #expect(charged(step(12_990, .preserved)) == 9_990)
    #expect(charged(step(12_990, .moved)) == 12_990)
    #expect(charged(step(12_990, .consent)) == 12_990)
    #expect(charged(step(7_990, .everyone)) == 7_990)
    // A cut that stays above a preserved price, and a cut below it.
    #expect(charged(step(12_990, .preserved), step(11_990, .everyone)) == 9_990)
    #expect(charged(step(12_990, .preserved), step(8_990, .everyone)) == 8_990)
    // A sale between two charges, after which only new subscribers pay the old price again.
    #expect(charged(step(4_990, .everyone), step(9_990, .preserved)) == 4_990)
    #expect(charged(step(4_990, .everyone), step(9_990, .moved)) == 9_990)
    #expect(charged(step(10_990, .preserved), step(13_990, .moved)) == 13_990)
  }

  @Test func `a new currency ends what was preserved, and consents are asked for`() {
    let held = HeldPrice(price: 9_990, currency: dollar, since: 0)
    var euro = step(11_990, .currency)
    euro.currency = .named("EUR")
    let charged = held.charged(after: [step(12_990, .preserved), euro])
    #expect(charged.price.price == 11_990 && charged.price.currency.code == "EUR")
    let asking = held.charged(after: [step(10_990, .consent), step(12_990, .preserved)]).asking
    #expect(asking.map(\.price) == [10_990])
    #expect(held.charged(after: [step(8_990, .everyone)]).asking.isEmpty)
  }
}
