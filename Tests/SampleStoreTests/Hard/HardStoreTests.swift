internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import TestSupport
internal import Testing

@testable internal import SampleStore

/// The rules for every hard store.
struct HardStoreTests {
  private func store(_ names: String, customers: Int = 60, seed: UInt64 = 3) -> SampleStore {
    SampleStore(
      HardLines.options(customers: customers, seed: seed), HardPhenomenon.list(names) ?? [])
  }

  /// Every store in `make test-slow`, the mixed ones and a third of the others in `make test`.
  private static let names =
    ["none", "all", "all-new"]
    + HardPhenomenon.allCases.enumerated()
    .filter { LongTests.areOn || $0.offset % 3 == 0 }.map(\.element.rawValue)

  @Test func `names are read in any order, all is the first eleven, and a typo is none`() {
    #expect(HardPhenomenon.list("none") == [])
    #expect(HardPhenomenon.list("sparse,movers") == [.movers, .sparse])
    #expect(HardPhenomenon.list("all")?.contains(.sparse) == false)
    #expect(HardPhenomenon.list("all")?.count == 11)
    #expect(HardPhenomenon.list("all-new")?.contains(.sparse) == false)
    #expect(HardPhenomenon.list("all-new")?.first == .severalApps)
    #expect(HardPhenomenon.list("all-new")?.last == .accountSwitch)
    #expect(HardPhenomenon.list("all-new")?.count == 18)
    #expect(HardPhenomenon.list("mover") == nil)
    #expect(HardPhenomenon.list("movers,") == nil)
  }

  @Test func `another seed is another app, and each phenomenon another store`() {
    let catalogues = [store("none"), store("none", seed: 4)].map { $0.accompanyingFiles()[0] }
    #expect(catalogues[0] != catalogues[1])
    // An account switch is a move with the old price, and few customers do it. A world without its
    // line in the catalogue has equal exports.
    let frequent = Self.names.filter { $0 != "account-switch" && !$0.hasSuffix("-unlisted") }
    let stores = frequent.map { store($0) }
    let truths = Set(stores.map { $0.truth.purchases.map(\.paidMilli) })
    #expect(truths.count >= 6, "prices differ where prices are what is hard")
    let exports = stores.map { store in (0..<store.exportCount).map { store.export($0).bytes } }
    #expect(Set(exports).count == frequent.count)
  }

  @Test(.enabled(if: LongTests.areOn)) func `an account switch is not a move`() {
    func exports(_ name: String) -> [UInt8] {
      let store = store(name, customers: 600)
      return (0..<store.exportCount).flatMap { gunzip(store.export($0).bytes) }
    }
    #expect(exports("account-switch") != exports("movers"))
  }

  @Test(arguments: names)
  func `each world is readable, true to itself and the same again`(name: String) throws {
    let store = store(name)
    try requireReadable(store, name: name)
    try requireConsistent(store.truth)
    // Most phenomena are in one of these two.
    guard LongTests.areOn || name.hasPrefix("all") else { return }
    let again = self.store(name)
    #expect((0..<store.exportCount).allSatisfy { store.export($0) == again.export($0) })
    #expect(store.accompanyingFiles() == again.accompanyingFiles())
  }

  /// Checks that every record can be read, and that the exports contain every row of the truth.
  private func requireReadable(_ store: SampleStore, name: String) throws {
    var tally = RecordTally()
    var seen: Set<String> = []
    for number in 0..<store.exportCount {
      let file = store.export(number)
      // Charges are read by keys of the pipeline; HardChargeTests reads them.
      guard number < store.options.files * 2 else { continue }
      let content = try readExport(
        bytes: file.bytes, name: file.name,
        kind: number < store.options.files ? .receipts : .prices)
      tally.add(content.tally)
      for observation in content.set.observations {
        seen.insert(observation.transactionID.number.text(in: content.set.symbols))
      }
    }
    // Refused are large 32-bit floats, prices that were cut to 0, and contradictory offers.
    #expect(
      tally.rejected == 0 || ["sdk-floats", "all-new", "parse-float", "zero-offers"].contains(name))
    #expect(seen == Set(store.truth.purchases.flatMap(\.transactionIDs)))
  }

  /// Checks that the truth has no contradictions.
  private func requireConsistent(_ truth: StoreTruth) throws {
    let ids = truth.purchases.flatMap(\.transactionIDs)
    #expect(Set(ids).count == ids.count, "no id belongs to two purchases")
    let findings = Dictionary(grouping: truth.purchases, by: \.evidence)
    #expect(findings.keys.allSatisfy { Finding(rawValue: $0) != nil })
    for purchase in truth.purchases {
      #expect(purchase.paidMilli >= 0)
      #expect(purchase.kind != "trial" || purchase.paidMilli == 0)
      let isCharged = ["regular", "one_time", "intro"].contains(purchase.kind)
      let isGiven = purchase.exclusion == "family_shared" || purchase.evidence == "promo_code"
      #expect(!isCharged || purchase.paidMilli > 0 || isGiven)
      #expect(purchase.isResolvable == (Finding(rawValue: purchase.evidence)?.isDetermined == true))
      #expect(purchase.exclusion.isEmpty || !purchase.isResolvable)
    }
    var byID: [String: TruthPurchase] = [:]
    for purchase in truth.purchases {
      for id in purchase.transactionIDs { byID[id] = purchase }
    }
    for offer in truth.offers {
      let first = try #require(byID[offer.transactionID])
      #expect(first.kind == offer.kind && first.exclusion.isEmpty)
      #expect((offer.status == "converted") == !offer.convertedBy.isEmpty)
      guard offer.status == "converted" else { continue }
      let next = try #require(byID[offer.convertedBy])
      #expect(next.purchasedAt > first.purchasedAt && next.paidMilli > 0)
    }
  }

  @Test func `most amounts of a store without phenomena are determined, fewer with them`() {
    func share(_ name: String) -> Int {
      let paid = store(name, customers: 500).truth.purchases.filter {
        $0.exclusion.isEmpty && $0.paidMilli > 0
      }
      return paid.count(where: \.isResolvable) * 100 / paid.count
    }
    #expect(share("none") >= 95)
    #expect((70...99).contains(share("sales")))
    #expect((30...90).contains(share("all")))
    #expect((40...90).contains(share("sparse")))
  }

  @Test func `a truth is read back as it was written`() throws {
    let truth = store("all", customers: 80).truth
    let read = try #require(
      StoreTruth(
        purchasesCSV: String(decoding: truth.purchasesCSV(), as: UTF8.self),
        offersCSV: String(decoding: truth.offersCSV(), as: UTF8.self)))
    #expect(read.purchases.map(\.paidMilli) == truth.purchases.map(\.paidMilli))
    #expect(read.purchases.map(\.evidence) == truth.purchases.map(\.evidence))
    #expect(read.purchases.map(\.transactionIDs) == truth.purchases.map(\.transactionIDs))
    #expect(read.offers == truth.offers)
    #expect(StoreTruth(purchasesCSV: "head\nodd,line", offersCSV: "") == nil)
  }
}
