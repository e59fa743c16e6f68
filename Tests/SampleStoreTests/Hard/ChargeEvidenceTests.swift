internal import CivilTime
internal import Testing

@testable internal import SampleStore

/// The amounts that charges determine, and those of monthly payments of a yearly plan.
struct ChargeEvidenceTests {
  private static let day: Int64 = 86_400_000
  private let world: World

  init() {
    var world = World(seed: 1, firstDay: CivilDay(daysSinceEpoch: 19_000), days: 300)
    world.prices.scale(0, 0, from: world.start + 60 * Self.day, percent: 130, .preserved)
    world.commitments[1] = Commitment(from: .min, share: 1000, percent: 120)
    self.world = world
  }

  /// A subscriber with rows of thirty days, of which nobody has reported a price.
  private func subscriber(_ product: Int, paid: Int64, rows: Int64, commitment: Int) -> Account {
    var account = Account(
      number: 9, homes: [Account.Home(from: .min, storefront: 0)],
      identities: [Account.Identity(from: .min, id: "u9")])
    for number in 0..<rows {
      let moment = world.start + (10 + number * 30) * Self.day
      var row = AccountPurchase(
        id: 900 + number, aliasID: 900 + number, originalID: 900, lineItem: 1 + number,
        product: product, kind: .regular, storefront: 0, currency: .named("USD"),
        purchasedAt: moment, originalPurchasedAt: world.start + 10 * Self.day,
        expiries: [AccountPurchase.Expiry(from: .min, at: moment + 30 * Self.day)],
        knownFrom: moment, paid: paid)
      row.commitment = commitment
      account.purchases.append(row)
    }
    let end = world.start + 290 * Self.day
    account.uploads = [AccountUpload(at: end, inAppAsOf: end)]
    return account
  }

  private func findings(_ account: Account, _ others: [Account] = []) -> [Finding] {
    EvidenceReader(
      world, TrueReportEvidence(world, others + [account]), account,
      chains: [Array(account.purchases.indices)]
    ).findings
  }

  /// A phone that reports a price of a product on a day, without a purchase.
  private func onlooker(_ number: Int, _ product: Int, price: Int64, on day: Int64) -> Account {
    var account = Account(
      number: number, homes: [Account.Home(from: .min, storefront: 0)],
      identities: [Account.Identity(from: .min, id: "u\(number)")])
    let moment = world.start + day * Self.day
    var displayed = world.displayed(product, 0, at: moment)
    displayed.price = price
    account.prices = [
      AccountReport(
        product: product, storefront: 0, shownAt: moment, displayed: displayed,
        reportedAt: moment, arrivedAt: moment)
    ]
    return account
  }

  @Test func `a charge determines its own row, and nothing but its own row after a rise`() {
    let old = world.prices.step(0, 0, at: world.start).price
    var account = subscriber(0, paid: old, rows: 4, commitment: 0)
    account.charges = [AccountCharge(purchase: 2, form: .table, at: world.start)]
    #expect(findings(account) == [.unwitnessed, .unwitnessed, .charged, .unwitnessed])
    let liars = (0..<5).map { onlooker($0, 0, price: old * 2, on: 71) }
    #expect(findings(account, liars)[2] == .charged, "reports say nothing about a charge")
  }

  @Test func `payments of one commitment are equal to the first, which a report shows`() {
    let year = world.prices.step(1, 0, at: world.start)
    let payment = world.commitments[1]?.instalment(of: year.price, in: year.currency) ?? 0
    #expect(payment < year.price / 8 && payment > year.price / 12)
    let account = subscriber(1, paid: payment, rows: 3, commitment: 1)
    #expect(findings(account)[0] == .unwitnessed)
    let others = [onlooker(1, 1, price: payment, on: 200)]
    #expect(findings(account, others) == [.listed, .renewed, .renewed])
    let yearly = [onlooker(1, 1, price: year.price, on: 200)]
    #expect(findings(account, yearly)[0] == .unwitnessed, "the yearly price is no payment")
  }
}
