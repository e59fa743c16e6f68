import SharedTables
import Amounts
import CivilTime
import Diagnostics
import GRDB
import PaidAmounts
import PriceLearning
import PurchaseModel
import Purchases
import SQLiteFiles
import TestSupport
import Testing

@testable import StateStore

/// Rows that a publication stores for the next run are read back unchanged.
struct LastPublicationTests {
  /// A state.db with some texts, and the texts.
  private func state() throws -> (StateFolder, StateDatabase, StateTexts) {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1, records: 30)])
    let state = try folder.open()
    return (folder, state, try state.texts())
  }

  /// Creates rows from symbols in state.db and seeded values.
  private struct Maker {
    var random: SeededGenerator
    let symbols: [Symbol]
    private static let zloty = Currency("PLN") ?? Currency(rawValue: 0)

    init(seed: UInt64, _ texts: StateTexts) {
      random = SeededGenerator(seed: seed)
      symbols = (0..<UInt32(texts.set.symbols.count)).map(Symbol.init(rawValue:))
        .filter { texts.numbers[Int($0.rawValue)] > 0 }
    }

    mutating func maybe<Value>(_ value: Value) -> Value? {
      Bool.random(using: &random) ? value : nil
    }

    mutating func symbol() -> Symbol { symbols.randomElement(using: &random) ?? symbols[0] }

    mutating func moment() -> Instant {
      Instant(milliseconds: Int64.random(in: 0...2_000_000_000_000, using: &random))
    }

    mutating func key() -> ChainKey {
      ChainKey(rawValue: Int64.random(in: 1...Int64.max, using: &random))
    }

    mutating func id() -> TransactionID {
      TransactionID(
        Bool.random(using: &random)
          ? AppleNumber(rawValue: UInt64.random(in: 1...(1 << 60), using: &random))
          : AppleNumber(rawValue: 1 << 63 | UInt64(symbol().rawValue)))
    }

    mutating func storefront() -> Storefront? {
      ["USA", "POL"].randomElement(using: &random).flatMap { Storefront($0) }
    }

    mutating func storedVerdict() -> StoredVerdict {
      let isConfirmed = Bool.random(using: &random)
      return StoredVerdict(
        verdict: Verdict.allCases.randomElement(using: &random) ?? .believed,
        reference: maybe(Milliunits(Int64.random(in: 0...99_990, using: &random))),
        place: storefront(), isConfirmed: isConfirmed,
        isOutnumbered: !isConfirmed && Bool.random(using: &random))
    }

    mutating func offers() -> [OfferPrice] {
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        OfferPrice(
          offerID: maybe(OfferID(symbol())),
          price: Milliunits(Int64.random(in: 0...9_990, using: &random)),
          paymentMode: .payUpFront, numberOfPeriods: maybe(3),
          period: maybe(Period(1, .month)) ?? nil)
      }
    }

    mutating func placed(_ evidenceID: Int64, _ offers: OfferListIndex) -> PlacedReport {
      var report = PlacedReport(
        evidenceID: evidenceID, time: moment(),
        price: Milliunits(Int64.random(in: 0...99_990, using: &random)),
        voter: Voter(-1), productID: ProductID(symbol(), of: maybe(BundleID(symbol()))),
        currency: Self.zloty,
        offers: offers, place: storefront(), hasOwnPlace: Bool.random(using: &random),
        rivalPlace: storefront(), isLongBefore: Bool.random(using: &random),
        isLate: Bool.random(using: &random),
        isSigned: Bool.random(using: &random),
        setAside: maybe(Verdict.allCases.randomElement(using: &random)) ?? nil)
      // Only a report that is not set aside may be a charge with a vote.
      report.isCharge = report.setAside == nil && Bool.random(using: &random)
      return report
    }

    mutating func known() -> KnownReport {
      var report = KnownReport(
        customer: maybe(CustomerID(symbol())), transactionID: maybe(id()))
      if Bool.random(using: &random) {
        report.named = NamedPurchase(
          key: PurchaseKey(rawValue: Int64.random(in: .min...Int64.max, using: &random)),
          purchasedAt: moment(), isExcluded: Bool.random(using: &random),
          app: maybe(BundleID(symbol())))
        report.namedChain = key()
      }
      return report
    }

    mutating func cellRow() -> CellRow {
      let offer: SalesReportTotals.Offer? = [.none, .introductory, .named(OfferID(symbol()))]
        .randomElement(using: &random)
      return CellRow(
        SalesReportTotals.Cell(
          day: moment().day, productID: ProductID(symbol()), storefront: storefront(),
          currency: Self.zloty, offer: offer ?? .none),
        units: Int64.random(in: 0...3, using: &random))
    }

    mutating func link() -> ChainLink {
      let key = key()
      return ChainLink(
        key: key, isSandbox: Bool.random(using: &random), isDurable: Bool.random(using: &random),
        isSigned: Bool.random(using: &random),
        customers: (0..<Int.random(in: 0...3, using: &random)).map { _ in CustomerID(symbol()) },
        products: (0..<Int.random(in: 0...2, using: &random)).map { _ in product() },
        standing: ChainLink.Standing(
          account: maybe(key) ?? self.key(), nextChangeAt: maybe(moment()),
          dependsOnLaterCharges: Bool.random(using: &random)))
    }

    private mutating func product() -> ProductRow {
      let period = maybe(Period(Int.random(in: 1...400, using: &random), .day)) ?? nil
      return ProductRow(
        productID: ProductID(symbol(), of: maybe(BundleID(symbol()))),
        kind: maybe(ProductKind.allCases.randomElement(using: &random)) ?? nil,
        group: maybe(
          ProductFacts.NamedGroup(at: moment(), group: SubscriptionGroupID(symbol()))),
        firstSold: maybe(moment()), sold: Int32.random(in: 0...500, using: &random),
        period: period, count: period == nil ? 0 : Int32.random(in: 1...500, using: &random))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `all rows are read back`(_ seed: UInt64) throws {
    let (_, state, texts) = try state()
    var maker = Maker(seed: seed, texts)
    let links = (0..<40).map { _ in maker.link() }.sorted { $0.key < $1.key }
    var lists = OfferLists()
    let reports = (1...40 as ClosedRange<Int64>).map { id in
      (
        placed: maker.placed(id, lists.index(of: maker.offers())), known: maker.known(),
        verdict: maker.storedVerdict()
      )
    }
    let claims = (0..<40).map { _ in (id: maker.id(), chain: maker.key()) }
    let votes = (1...10 as ClosedRange<Int64>).map {
      (chain: ChainKey(rawValue: $0), placed: maker.placed($0, .none))
    }
    let cellRows = (1...10 as ClosedRange<Int64>).map { key in
      (chain: ChainKey(rawValue: key), rows: (0..<key).map { _ in maker.cellRow() })
    }
    let sums: [UInt8] = [0, 1, 255]
    try state.deliver(
      LastPublication(contentDigest: "d", settings: "s", sums: sums), texts, replacesAll: true
    ) { writer throws(RunFailure) in
      for link in links { try writer.put(link) }
      for (placed, known, verdict) in reports {
        try writer.put(placed, offers: lists[placed.offers], known, verdict)
      }
      for (id, chain) in claims { try writer.put(id, of: chain) }
      for (chain, placed) in votes { try writer.put(vote: placed, of: chain) }
      for (chain, rows) in cellRows { try writer.put(rows, of: chain) }
    }
    let lastPublication = try #require(try state.publicationRow())
    #expect((lastPublication.contentDigest, lastPublication.settings) == ("d", "s"))
    #expect(lastPublication.sums == sums)
    let found = try read(state, texts)
    #expect(found.links == links)
    #expect(found.known == reports.map(\.known))
    #expect(found.verdicts == reports.map(\.verdict))
    let offers = try #require(found.offers)
    for (read, (written, _, _)) in zip(found.placed, reports) {
      #expect(Array(offers[read.offers]) == Array(lists[written.offers]))
      var read = read
      read.offers = written.offers
      #expect(read == written)
    }
    #expect(found.votes == votes.map(\.placed))
    #expect(found.cellRows == cellRows.map(\.rows))
    let chains = try state.chains(claiming: Set(claims.map(\.id)), texts)
    for (id, keys) in Dictionary(grouping: claims, by: \.id) {
      #expect(chains[id] == Set(keys.map(\.chain)).sorted())
    }
  }

  private struct Found {
    var links: [ChainLink] = []
    var placed: [PlacedReport] = []
    var known: [KnownReport] = []
    var verdicts: [StoredVerdict] = []
    var votes: [PlacedReport] = []
    var cellRows: [[CellRow]] = []
    var offers: OfferLists?
  }

  private func read(_ state: StateDatabase, _ texts: StateTexts) throws -> Found {
    var found = Found()
    found.offers = try state.readLastPublication(texts) {
      found.links.append($0)
    } report: {
      found.placed.append($0.placed)
      found.known.append($0.known)
      found.verdicts.append($0.verdict)
    } vote: {
      found.votes.append($1)
    } cellRows: {
      found.cellRows.append($1)
    }
    return found
  }

  @Test func `a run changes some rows, and the others stay`() throws {
    let (_, state, texts) = try state()
    var maker = Maker(seed: 7, texts)
    let links = (0..<3).map { _ in maker.link() }.sorted { $0.key < $1.key }
    let placed = (1...3 as ClosedRange<Int64>).map { maker.placed($0, .none) }
    let (known, verdict) = (maker.known(), maker.storedVerdict())
    try state.deliver(
      LastPublication(contentDigest: "first", settings: "s", sums: []), texts, replacesAll: true
    ) { writer throws(RunFailure) in
      for link in links { try writer.put(link) }
      for report in placed { try writer.put(report, offers: [], known, verdict) }
      for report in placed { try writer.put(vote: report, of: links[0].key) }
    }
    var second = links[1]
    second.standing.nextChangeAt = Instant(milliseconds: 5)
    try state.deliver(
      LastPublication(contentDigest: "second", settings: "s", sums: []), texts, replacesAll: false
    ) { writer throws(RunFailure) in
      try writer.put(second.standing, of: second.key)
      try writer.drop(report: 2)
      try writer.dropVotes(of: links[0].key)
      try writer.put(vote: placed[2], of: links[0].key)
    }
    let found = try read(state, texts)
    #expect(try state.publicationRow()?.contentDigest == "second")
    #expect(found.links == [links[0], second, links[2]])
    #expect(found.placed == [placed[0], placed[2]])
    #expect(found.votes == [placed[2]])
  }

  @Test func `an erasure and a forgotten file leave nothing of it`() throws {
    for isErased in [true, false] {
      let (_, state, texts) = try state()
      var maker = Maker(seed: 8, texts)
      let (link, known, placed) = (maker.link(), maker.known(), maker.placed(1, .none))
      let verdict = maker.storedVerdict()
      try state.deliver(
        LastPublication(contentDigest: "d", settings: "s", sums: [1]), texts, replacesAll: true
      ) { writer throws(RunFailure) in
        try writer.put(link)
        try writer.put(placed, offers: [], known, verdict)
      }
      if isErased {
        try state.erase(customers: ["nobody we know"], at: .epoch)
      } else {
        try state.forget(files: state.files().map(\.id), at: .epoch)
      }
      #expect(try state.publicationRow() == nil)
      let rows = try state.file.read { db in
        try Int.fetchOne(
          db,
          sql: """
            SELECT (SELECT count() FROM link) + (SELECT count() FROM placed)
              + (SELECT count() FROM claim) + (SELECT count() FROM vote)
            """)
      }
      #expect(rows == 0)
    }
  }
}
