@testable import StateStore
import Amounts
import CivilTime
import PurchaseModel
import TemporaryFiles
import Testing

@Suite struct `Bodies` {
  private static let empty = SymbolNumbers(customers: [], others: [])

  @Test(
    arguments: [
      (0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (UInt64.max, 10),
    ] as [(UInt64, Int)])
  func `write seven bits a byte`(value: UInt64, length: Int) throws {
    var writer = BodyWriter(numbers: Self.empty)
    writer.number(value)
    #expect(writer.bytes.count == length)
    #expect(try read(writer) { $0.number() } == value)
  }

  @Test(
    arguments: [
      (0, 0), (-1, 1), (1, 2), (-2, 3), (Int64.max, UInt64.max - 1), (Int64.min, UInt64.max),
    ] as [(Int64, UInt64)])
  func `fold signs into small numbers`(value: Int64, folded: UInt64) {
    #expect(BodyWriter.folded(value) == folded)
    #expect(BodyReader.unfolded(folded) == value)
  }

  @Test(
    arguments: [
      (0, 0, 1), (1000, 0, 1), (1, 0, 2), (-1, 0, 2), (86_400_000, 0, 3),
      (-62_135_596_800_000, 253_402_300_799_999, 8), (253_402_300_799_999, 0, 8),
    ] as [(Int64, Int64, Int)])
  func `write moments as distances, whole seconds shorter`(
    time: Int64, base: Int64, shortest: Int
  ) throws {
    var writer = BodyWriter(numbers: Self.empty)
    var (moment, found) = (Instant(milliseconds: time), Instant.epoch)
    writer.code(&moment, after: Instant(milliseconds: base))
    #expect(writer.bytes.count == shortest)
    try read(writer) { $0.code(&found, after: Instant(milliseconds: base)) }
    #expect(found == Instant(milliseconds: time))
  }

  @Test(
    arguments: [Int64.max, .min, 253_402_300_800_000, -62_135_596_800_001, Int64.max / 1000 + 1])
  func `a moment that no text can name is damage`(time: Int64) throws {
    var writer = BodyWriter(numbers: Self.empty)
    var moment = Instant(milliseconds: time)
    writer.code(&moment, after: .epoch)
    #expect(try isDamaged(writer) { $0.code(&moment, after: .epoch) })
  }

  @Test func `a distance beyond all numbers is damage, not a moment elsewhere`() throws {
    var writer = BodyWriter(numbers: Self.empty)
    // A number of seconds whose milliseconds would overflow to the epoch: 2^61 · 1000 is 0 modulo
    // 2^64.
    writer.number(BodyWriter.folded(1 << 61) << 1)
    var moment = Instant.epoch
    #expect(try isDamaged(writer) { $0.code(&moment, after: .epoch) })
  }

  @Test(arguments: [(0, false), (1_000_000_000_000, false), (1_000_000_000_001, true), (-1, true)])
  func `a price that no reader lets in is damage`(price: Int64, isDamage: Bool) throws {
    var writer = BodyWriter(numbers: Self.empty)
    writer.write(Milliunits(price))
    #expect(try isDamaged(writer) { _ = $0.value() as Milliunits } == isDamage)
  }

  @Test(arguments: [(1, false), (1_000_000, false), (1_000_001, true), (0, true), (-1, true)])
  func `a quantity that no reader lets in is damage`(count: Int32, isDamage: Bool) throws {
    var writer = BodyWriter(numbers: Self.empty)
    var count = count
    writer.code(&count, upTo: 1_000_000)
    #expect(try isDamaged(writer) { $0.code(&count, upTo: 1_000_000) } == isDamage)
  }

  @Test func `a month of daily snapshots of 30 rows costs a few bytes a sighting`() throws {
    // 30 rows of about 30 bytes once, and 30 snapshots of at most 20 bytes, for 30 × 30
    // observations: (900 + 600) / 900 is less than 2.
    var set = Observations()
    let product = ProductID(set.symbols.intern("pro.monthly"))
    let customer = CustomerID(set.symbols.intern("c-000123"))
    for day in 0..<30 as Range<Int64> {
      set.records.append(
        ReceiptRecord(
          source: SourceLine(file: 0, line: Int32(day) * 5000 + 17), ordinal: Int32(day),
          snapshotAt: Instant(milliseconds: 1_700_000_000_123 + day * 86_400_000),
          customer: customer, storefront: nil, bundle: nil, isSandbox: false))
      for number in 0..<30 as Range<Int64> {
        let chain = AppleNumber(rawValue: 100_000_831_353_658)
        var row = TransactionObservation(
          record: Int32(day), rank: .latest,
          transactionID: TransactionID(
            AppleNumber(rawValue: chain.rawValue + UInt64(number) * 7_777_777_777)),
          originalTransactionID: OriginalTransactionID(chain), productID: product,
          purchasedAt: Instant(milliseconds: 1_600_000_000_000 + number * 2_592_000_000))
        row.lineItemID = LineItemID(
          AppleNumber(rawValue: 100_000_061_787_000 + UInt64(number) * 33_333_333))
        row.expiresAt = Instant(milliseconds: row.purchasedAt.milliseconds + 2_592_000_000)
        row.isTrialPeriod = false
        set.observations.append(row)
      }
    }
    let numbers = SymbolNumbers(customers: [0, 300_000], others: [1, 0])
    let store = SortMemory(bytes: 1 << 20, path: "")
    let encoded = try FileEncoder.encode(set, numbers: numbers, into: store)
    #expect(encoded.chains.count == 1)
    #expect(encoded.bodies.count < 2 * 900)
  }

  @Test func `one chain has one key in each environment, and a text id one of its own`() {
    var symbols = SymbolTable()
    let number = OriginalTransactionID(AppleNumber("1000000831353658", symbols: &symbols))
    let text = OriginalTransactionID(AppleNumber("01000000831353658", symbols: &symbols))
    let keys = [
      ChainKey(number, isSandbox: false, in: symbols),
      ChainKey(number, isSandbox: true, in: symbols),
      ChainKey(text, isSandbox: false, in: symbols),
      ChainKey(text, isSandbox: true, in: symbols),
    ]
    #expect(Set(keys).count == 4)
    #expect(keys.allSatisfy { $0.rawValue > 0 })
    // These keys are stored, so they must never change.
    #expect(keys.map(\.rawValue) == Self.storedKeys)
  }

  /// Computed with a separate program.
  private static let storedKeys: [Int64] = [
    6_793_876_206_969_049_014,
    4_726_409_188_893_101_804,
    8_229_925_215_817_622_645,
    7_887_822_455_489_997_877,
  ]

  private func isDamaged(_ writer: BodyWriter, _ body: (inout BodyReader) -> Void) throws -> Bool {
    var writer = writer
    return try unsafe writer.bytes.withUnsafeBufferPointer { bytes in
      var reader = try #require(unsafe BodyReader(bytes))
      body(&reader)
      return reader.isDamaged
    }
  }

  @discardableResult
  private func read<Value>(_ writer: BodyWriter, _ body: (inout BodyReader) -> Value) throws
    -> Value
  {
    var writer = writer
    return try unsafe writer.bytes.withUnsafeBufferPointer { bytes in
      var reader = try #require(unsafe BodyReader(bytes))
      let value = body(&reader)
      #expect(reader.isAtEnd)
      #expect(!reader.isDamaged)
      return value
    }
  }
}
