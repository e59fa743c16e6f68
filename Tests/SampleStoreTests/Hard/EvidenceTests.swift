internal import CivilTime
internal import Testing

@testable internal import SampleStore

/// The amounts that the exports determine, in worlds made by hand.
struct EvidenceTests {
  private static let day: Int64 = 86_400_000
  private let usa = 0
  private let germany = WorldStorefront.all.firstIndex { $0.code == "DEU" } ?? 0
  private let france = WorldStorefront.all.firstIndex { $0.code == "FRA" } ?? 0

  /// A world of 300 days in which the first plan has a constant price, unless a test changes it.
  private func world(_ change: (inout World) -> Void = { _ in }) -> World {
    var world = World(seed: 1, firstDay: CivilDay(daysSinceEpoch: 19_000), days: 300)
    change(&world)
    return world
  }

  private func at(_ day: Int64, _ world: World) -> Int64 { world.start + day * Self.day }

  /// An account that only views the first plan, on some days, without a purchase.
  private func onlooker(
    _ number: Int, _ world: World, in storefront: Int = 0, on days: [Int64],
    percent: Int64 = 100
  ) -> Account {
    var account = Account(
      number: number, homes: [Account.Home(from: .min, storefront: storefront)],
      identities: [Account.Identity(from: .min, id: "u\(number)")])
    for day in days {
      let moment = at(day, world)
      var displayed = world.displayed(0, storefront, at: moment)
      displayed.multiply(by: percent, over: 100)
      account.prices.append(
        AccountReport(
          product: 0, storefront: storefront, shownAt: moment, displayed: displayed,
          reportedAt: moment,
          arrivedAt: moment))
    }
    return account
  }

  private func objection(
    _ world: World, _ accounts: [Account], in storefront: Int = 0, on day: Int64
  ) -> Finding? {
    TrueReportEvidence(world, accounts).objection(.regular(0), storefront, at: at(day, world))
  }

  @Test func `one person shows a price that never changes, nobody shows none`() {
    let world = world()
    #expect(objection(world, [onlooker(0, world, on: [200])], on: 10) == nil)
    #expect(objection(world, [], on: 10) == .unwitnessed)
    #expect(objection(world, [onlooker(0, world, on: [200])], on: -1) == .unwitnessed)
  }

  @Test func `around a cut that nobody wrote down the evidence has a gap`() {
    let world = world { world in
      world.prices.scale(0, 0, from: at(100, world), percent: 70, .everyone)
    }
    let accounts = [
      onlooker(0, world, on: [20, 90, 120]), onlooker(1, world, on: [40, 130]),
    ]
    #expect(objection(world, accounts, on: 90) == nil)
    #expect(objection(world, accounts, on: 95) == .between)
    #expect(objection(world, accounts, on: 110) == .between)
    #expect(objection(world, accounts, on: 120) == nil)
    #expect(objection(world, Array(accounts.prefix(1)), on: 120) == .unwitnessed)
  }

  @Test func `a date in the catalogue closes the gap`() {
    let world = world { world in
      world.prices.scale(
        0, 0, from: at(100, world), percent: 130, .moved, isCatalogued: true)
    }
    let accounts = [onlooker(0, world, on: [20, 140]), onlooker(1, world, on: [40, 150])]
    #expect(objection(world, accounts, on: 99) == nil)
    #expect(objection(world, accounts, on: 100) == nil)
  }

  @Test func `a sale needs three people within it`() {
    let world = world { world in
      world.prices.dip(
        0, 0, from: at(100, world), to: at(114, world), percent: 50, back: .moved,
        isCatalogued: false)
    }
    let accounts = (0..<3).map { onlooker($0, world, on: [50, 101 + Int64($0) * 5, 200]) }
    #expect(objection(world, accounts, on: 105) == nil)
    #expect(objection(world, Array(accounts.prefix(2)), on: 105) == .unwitnessed)
    #expect(objection(world, accounts, on: 112) == .between)
  }

  @Test func `as many liars as honest people outnumber them, fewer do not`() {
    let world = world()
    let honest = (0..<2).map { onlooker($0, world, on: [50]) }
    let liars = (2..<4).map { onlooker($0, world, on: [60], percent: 50) }
    #expect(objection(world, honest + liars.prefix(1), on: 55) == nil)
    #expect(objection(world, honest + liars, on: 55) == .outnumbered)
    #expect(objection(world, honest + liars, on: 200) == nil, "they lied long ago")
  }

  @Test func `a storefront apart must speak for itself, three times`() {
    let world = world { world in
      world.prices.scale(0, france, from: .min, percent: 70, .everyone, withOffers: true)
    }
    let common = (0..<4).map { onlooker($0, world, in: germany, on: [50, 60]) }
    let own = (4..<7).map { onlooker($0, world, in: france, on: [50]) }
    #expect(objection(world, common + own, in: germany, on: 55) == nil)
    #expect(objection(world, common + own, in: france, on: 55) == nil)
    #expect(objection(world, common + own.prefix(2), in: france, on: 55) == .unwitnessed)
    let austria = WorldStorefront.all.firstIndex { $0.code == "AUT" } ?? 0
    #expect(objection(world, common + own, in: austria, on: 55) == .unwitnessed)
    let here = onlooker(7, world, in: austria, on: [80])
    #expect(objection(world, common + own + [here], in: austria, on: 55) == nil)
  }

  // MARK: - One account

  /// A subscriber of the first plan, with periods of thirty days, in one storefront.
  private func subscriber(_ world: World, periods: Int64, names storefront: Bool = true) -> Account
  {
    var account = onlooker(9, world, on: [])
    for number in 0..<periods {
      let moment = at(10 + number * 30, world)
      let price = world.prices.step(0, usa, at: moment).price
      account.purchases.append(
        AccountPurchase(
          id: 900 + number, aliasID: 900 + number, originalID: 900, lineItem: 1 + number,
          product: 0, kind: .regular, storefront: usa, currency: .named("USD"),
          purchasedAt: moment, originalPurchasedAt: at(10, world),
          expiries: [AccountPurchase.Expiry(from: .min, at: moment + 30 * Self.day)],
          knownFrom: moment, paid: price))
    }
    var upload = AccountUpload(at: at(290, world), inAppAsOf: at(290, world))
    upload.namesStorefront = storefront
    account.uploads = [upload]
    return account
  }

  private func findings(_ world: World, _ account: Account, _ others: [Account]) -> [Finding] {
    let trueReports = TrueReportEvidence(world, others + [account])
    let chain = Array(account.purchases.indices)
    return EvidenceReader(world, trueReports, account, chains: [chain]).findings
  }

  private func crowd(_ world: World) -> [Account] {
    (0..<4).map { number in
      onlooker(
        number, world, on: stride(from: Int64(5), to: 300, by: 10).map { $0 + Int64(number) })
    }
  }

  @Test func `a first row is listed, its renewals follow, and an unknown place tells nothing`() {
    let world = world()
    let account = subscriber(world, periods: 3)
    #expect(findings(world, account, crowd(world)) == [.listed, .renewed, .renewed])
    let nowhere = subscriber(world, periods: 2, names: false)
    #expect(findings(world, nowhere, crowd(world)) == [.placeUnknown, .placeUnknown])
  }

  @Test func `a rise is known where the catalogue or a consent explains it`() {
    func rise(_ effect: PriceStep.Effect, isCatalogued: Bool) -> World {
      world { world in
        world.prices.scale(
          0, 0, from: at(60, world), percent: 130, effect, isCatalogued: isCatalogued)
      }
    }
    let moved = rise(.moved, isCatalogued: true)
    #expect(
      findings(moved, subscriber(moved, periods: 3), crowd(moved))
        == [.listed, .renewed, .renewed])
    let hidden = rise(.moved, isCatalogued: false)
    #expect(
      findings(hidden, subscriber(hidden, periods: 4), crowd(hidden))
        == [.listed, .renewed, .riseUnexplained, .riseUnexplained])
    let asked = rise(.consent, isCatalogued: false)
    var account = subscriber(asked, periods: 3)
    account.states.append(
      AccountState(
        at: at(62, asked), originalID: 900, product: 0, nextProduct: 0, consent: 1))
    #expect(findings(asked, account, crowd(asked))[2] == .riseUnexplained, "nobody looked")
    var upload = account.uploads[0]
    upload.at = at(65, asked)
    account.uploads.append(upload)
    #expect(findings(asked, account, crowd(asked))[2] == .renewed)
  }

  @Test func `a sale between two charges leaves no trace, one over a charge does`() {
    func sale(from day: Int64) -> World {
      world { world in
        world.prices.dip(
          0, 0, from: at(day, world), to: at(day + 14, world), percent: 50, back: .moved,
          isCatalogued: false)
      }
    }
    let between = sale(from: 52)
    #expect(
      findings(between, subscriber(between, periods: 4), crowd(between))
        == [.listed, .renewed, .renewed, .renewed])
    let over = sale(from: 65)
    #expect(
      findings(over, subscriber(over, periods: 4), crowd(over))
        == [.listed, .renewed, .renewed, .riseUnexplained])
  }

  @Test func `a true report of the purchase tells it, unless most say something else`() {
    let world = world()
    var account = subscriber(world, periods: 1, names: false)
    account.prices = onlooker(9, world, on: [10]).prices
    account.prices[0].purchase = 0
    #expect(findings(world, account, []) == [.reported])
    let liars = (0..<2).map { onlooker($0, world, on: [12], percent: 50) }
    #expect(findings(world, account, Array(liars)) == [.outnumbered])
    account.prices[0].displayed.multiply(by: 1, over: 2)
    #expect(findings(world, account, crowd(world)) == [.listed], "others refute it")
  }

  @Test func `a chain whose first rows were never seen begins with its list price then`() {
    let world = world { world in
      world.prices.scale(
        0, 0, from: at(60, world), percent: 130, .preserved, isCatalogued: true)
    }
    var account = subscriber(world, periods: 4)
    for index in 1...3 { account.purchases[index].paid = account.purchases[0].paid }
    let trueReports = TrueReportEvidence(world, crowd(world) + [account])
    func last(_ account: Account) -> Finding {
      EvidenceReader(world, trueReports, account, chains: [[3]]).findings[3]
    }
    #expect(last(account) == .renewed)
    // A customer who subscribed before the exports begin: no reports show the prices of that time.
    for index in 0...3 { account.purchases[index].purchasedAt -= 60 * Self.day }
    #expect(last(account) == .beginningUnseen)
  }

  @Test func `a placeholder joins nobody, an id joins what it bears`() {
    let world = world()
    func coin(_ number: Int, _ id: String) -> Account {
      var account = subscriber(world, periods: 1)
      account.purchases[0].lineItem = 0
      account.purchases[0].originalID = 1000 + Int64(number)
      account.purchases[0].id = 1000 + Int64(number)
      account.identities = [Account.Identity(from: .min, id: id)]
      account.uploads[0].namesStorefront = number == 0
      return renumbered(account, number)
    }
    let seven = Households((0..<7).map { coin($0, "guest") })
    #expect(seven.places(ofChain: 1000).count == 1 && seven.places(ofChain: 1001).isEmpty)
    let two = Households((0..<2).map { coin($0, "home") })
    #expect(two.places(ofChain: 1001).count == 1)
  }

  private func renumbered(_ account: Account, _ number: Int) -> Account {
    var other = Account(number: number, homes: account.homes, identities: account.identities)
    other.purchases = account.purchases
    other.uploads = account.uploads
    return other
  }
}
