internal import CivilTime
internal import PurchaseModel

/// Apple's reports of all days as lists of events; they are correct until faults are added.
struct ReportLedger: Sendable {
  /// The days with Apple's reports.
  let days: [CivilDay]
  /// The events of all purchases, indexed by event number.
  let events: [LedgerEvent]
  /// The lines of the Sales report, keyed by the day of the file; a missing report has no entry.
  private(set) var sales: [CivilDay: [LedgerEvent]] = [:]
  /// The lines of the Subscriber report, keyed by the day of the file.
  private(set) var subscriber: [CivilDay: [LedgerEvent]] = [:]
  /// The Sales and Subscriber lines of another vendor, keyed by the day of the file.
  private(set) var foreign: [CivilDay: [LedgerEvent]] = [:]
  /// The days with additional files that are not reports of in-app purchases.
  private(set) var otherFiles: [CivilDay] = []
  private var random: SampleRandom

  /// Creates correct reports of the purchases.
  init(_ purchases: [LedgerPurchase], days: [CivilDay], seed: UInt64) {
    self.days = days
    random = SampleRandom(seed: seed, stream: 1 << 45)
    var events = purchases.flatMap { $0.events(seed: seed) }
    for number in events.indices { events[number].number = number }
    self.events = events
    for day in days {
      sales[day] = []
      subscriber[day] = []
    }
    for event in events where sales[event.day] != nil {
      sales[event.day]?.append(event)
      if event.product.isSubscription { subscriber[event.day]?.append(event) }
    }
  }

  mutating func add(_ fault: AppleReportFault) {
    switch fault {
    case .otherApps: addOtherApp()
    case .otherVendor:
      for day in days where random.happens(perMille: 100) {
        foreign[day] = units(of: Self.strangers, on: day)
      }
    case .otherFiles: otherFiles = days.filter { _ in random.happens(perMille: 50) }
    case .missingDays:
      for day in days.dropFirst().dropLast() where random.happens(perMille: 50) {
        sales[day] = nil
        subscriber[day] = nil
      }
    case .loneReports:
      for day in days.dropFirst().dropLast() where random.happens(perMille: 33) {
        subscriber[day] = nil
      }
    case .deleted: edit { _, _ in [] }
    case .doubled: edit { event, _ in [event, event] }
    case .prices:
      edit { event, _ in
        var event = event
        if event.price > 0 { event.price = event.price * 3 / 2 / 1000 * 1000 + 1000 }
        return [event]
      }
    case .swapped: swap()
    case .monster: addMonster()
    }
  }

  private mutating func addOtherApp() {
    for day in days where sales[day] != nil {
      let units = units(of: Self.games, on: day)
      sales[day]? += units
      subscriber[day]? += units.filter(\.product.isSubscription)
    }
  }

  /// Creates sales of products of another app or vendor: up to three per product on a day.
  ///
  /// Their event number is -1, because the store's purchases do not include them.
  private mutating func units(of products: [LedgerProduct], on day: CivilDay) -> [LedgerEvent] {
    products.flatMap { product in
      (0..<random.below(4)).map { _ in
        let isEuro = random.happens(perMille: 300)
        var event = LedgerEvent(
          day: day, purchaseDay: day, product: product, country: isEuro ? "DE" : "US",
          currency: isEuro ? "EUR" : "USD", kind: product.isSubscription ? .regular : .oneTime,
          units: 1, price: 4_990)
        event.number = -1
        event.subscriber = 8_000_000 + random.below(100_000)
        return event
      }
    }
  }

  /// Replaces one line in a hundred, chosen at random, by the result of `change`.
  ///
  /// In the Subscriber report, it replaces lines of subscriptions; in the Sales report, lines of
  /// other products.
  private mutating func edit(_ change: (LedgerEvent, Int) -> [LedgerEvent]) {
    for day in days {
      subscriber[day] = subscriber[day]?.enumerated().flatMap { place, event in
        random.happens(perMille: 10) ? change(event, place) : [event]
      }
      sales[day] = sales[day]?.enumerated().flatMap { place, event in
        !event.product.isSubscription && random.happens(perMille: 10)
          ? change(event, place) : [event]
      }
    }
  }

  /// Exchanges the Subscriber reports of some pairs of days that are 1 to 21 days apart.
  private mutating func swap() {
    var done: Set<CivilDay> = []
    for day in days where random.happens(perMille: 15) {
      let other = day.advanced(by: Int64(random.within(1...21)))
      guard done.isDisjoint(with: [day, other]), let here = subscriber[day],
        let there = subscriber[other]
      else { continue }
      done.formUnion([day, other])
      subscriber[day] = there
      subscriber[other] = here
    }
  }

  private mutating func addMonster() {
    let busy = days.filter { day in
      subscriber[day]?.contains { $0.units > 0 && $0.price > 0 } ?? false
    }
    guard !busy.isEmpty else { return }
    let day = busy[busy.count / 2 + random.below(busy.count / 4 + 1)]
    guard let place = subscriber[day]?.firstIndex(where: { $0.units > 0 && $0.price > 0 }) else {
      return
    }
    subscriber[day]?[place].units = 50_000
  }

  private static let games = [
    LedgerProduct(
      id: "chess.gold", appleID: "1600000001", app: "com.example.chess", appNumber: "1600000000",
      kind: .autoRenewableSubscription, group: "20700001", periodText: "P1M"),
    LedgerProduct(
      id: "chess.gems", appleID: "1600000002", app: "com.example.chess", appNumber: "1600000000",
      kind: .consumable),
  ]

  private static let strangers = [
    LedgerProduct(
      id: "radio.plus", appleID: "1700000001", app: "org.example.radio", appNumber: "1700000000",
      kind: .autoRenewableSubscription, group: "20800001", periodText: "P1M"),
    LedgerProduct(
      id: "radio.tip", appleID: "1700000002", app: "org.example.radio", appNumber: "1700000000",
      kind: .consumable),
  ]
}
