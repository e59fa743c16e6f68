internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import SampleStore
internal import TestSupport
internal import Testing

/// Random synthetic stores.
struct RandomStoreTests {
  private func options(customers: Int = 60, seed: UInt64 = 11, files: Int = 3) -> SampleOptions {
    SampleOptions(
      customers: customers, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 500,
      files: files)
  }

  private func texts(_ store: SampleStore) -> [[UInt8]] {
    (0..<store.exportCount).map { gunzip(store.export($0).bytes) }
  }

  @Test func `equal options give equal bytes, another seed another store`() {
    let once = SampleStore(options())
    let again = SampleStore(options())
    let other = SampleStore(options(seed: 12))
    #expect((0..<6).allSatisfy { once.export($0) == again.export($0) })
    #expect(once.accompanyingFiles() == again.accompanyingFiles())
    #expect(once.export(0).bytes != other.export(0).bytes)
    #expect(once.truth != other.truth)
  }

  @Test func `a signed store says the same each time, and its receipts end where they are to`()
    throws
  {
    let day = CivilDay(daysSinceEpoch: 18_628 + 250)
    func files(_ share: SignedShare) throws -> [(name: String, text: String)] {
      let store = try SignedStore(options(customers: 20), signing: share)
      return try (0..<store.exportCount).map {
        let file = try store.export($0)
        return (file.name, SignedText.payloads(gunzip(file.bytes)))
      }
    }
    let later = SignedShare(perMille: 1000, from: day, keepsReceipts: false)
    let once = try files(later)
    #expect(try files(later).map(\.text) == once.map(\.text))
    let receipts = once.filter { $0.name.hasPrefix("receipts/") }.map(\.text).joined()
    let signed = once.filter { $0.name.hasPrefix("signed/") }.map(\.text).joined()
    #expect(!receipts.contains("\"received_at\":\"2022-0"))
    #expect(signed.contains("\"received_at\":\"2022-0"))
    #expect(!signed.contains("\"received_at\":\"2021-08"))
    // The receipts are included, and equal to those of the ordinary store, byte for byte.
    let both = try SignedStore(
      options(customers: 20), signing: SignedShare(perMille: 300, from: day, keepsReceipts: true))
    let plain = SampleStore(options(customers: 20))
    for number in 0..<plain.exportCount {
      #expect(try both.export(number) == plain.export(number))
    }
  }

  /// Measurements of earlier versions used the bytes of this ordinary store.
  ///
  /// If these bytes change, this hash must change, and the reason must be stated here.
  ///
  /// The last reason: one generator makes ordinary and difficult stores.
  @Test func `a friendly store is what it was in every version`() {
    let store = SampleStore(options())
    let files = (0..<store.exportCount).map { gunzip(store.export($0).bytes) }
    var hash: UInt64 = 14_695_981_039_346_656_037  // FNV-1a
    for byte in (files + store.accompanyingFiles().map(\.bytes)).joined() {
      hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    #expect(hash == 14_371_273_514_485_106_684)
  }

  @Test func `a gzip header names neither a time nor a file`() {
    let header = Array(SampleStore(options()).export(0).bytes.prefix(10))
    // RFC 1952: magic, deflate, no flags, four bytes of time.
    #expect(header.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
  }

  @Test func `the number of files moves records, and changes none`() {
    func lines(_ files: Int) -> Set<[UInt8]> {
      let store = SampleStore(options(files: files))
      return Set(texts(store).flatMap { $0.split(separator: UInt8(ascii: "\n")).map(Array.init) })
    }
    // Invalid lines and duplicates are selected per file; all other records are equal.
    let one = lines(1)
    let many = lines(25)
    #expect(one.intersection(many).count * 50 > one.count * 49)
  }

  @Test func `a reader can use nearly every record, and meets every row of the truth`() throws {
    let store = SampleStore(options(customers: 250))
    var tally = RecordTally()
    var seen: Set<String> = []
    for number in 0..<store.exportCount {
      let file = store.export(number)
      let content = try readExport(
        bytes: file.bytes, name: file.name,
        kind: number < store.options.files ? .receipts : .prices)
      tally.add(content.tally)
      for observation in content.set.observations {
        seen.insert(observation.transactionID.number.text(in: content.set.symbols))
      }
    }
    #expect(tally.rejected * 100 < tally.records, "the usual limit of a hundredth holds")
    #expect(seen == Set(store.truth.purchases.flatMap(\.transactionIDs)))
  }

  @Test func `most amounts are resolvable, and free rows are free`() {
    let truth = SampleStore(options(customers: 250)).truth
    let revenue = truth.purchases.filter { $0.exclusion.isEmpty }
    #expect(revenue.filter(\.isResolvable).count * 100 > revenue.count * 85)
    #expect(revenue.filter { $0.kind == "trial" }.allSatisfy { $0.paidMilli == 0 })
    #expect(revenue.filter { $0.kind == "regular" }.allSatisfy { $0.paidMilli > 0 })
    let ids = truth.purchases.flatMap(\.transactionIDs)
    #expect(Set(ids).count == ids.count, "no id belongs to two purchases")
  }

  @Test func `a larger store begins with the customers of a smaller one`() {
    let small = SampleStore(options(customers: 20)).truth
    let large = SampleStore(options(customers: 40)).truth
    for (one, other) in zip(small.purchases, large.purchases) {
      #expect(one.transactionIDs == other.transactionIDs)
      #expect(one.paidMilli == other.paidMilli)
    }
  }
}
