internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Testing

@Suite struct StableKeyTests {
  /// The keys were computed with Python's hashlib over the parts joined by 0x1F.
  @Test(arguments: [
    ("a line item", ["P", "w", "520000123456789"], 8_074_697_637_568_079_309),
    ("the same line item in the sandbox", ["S", "w", "520000123456789"], 601_180_167_300_701_292),
  ])
  func `a key is the head of a SHA-256`(story: String, parts: [String], key: Int64) {
    var symbols = SymbolTable()
    var hasher = StableKeyHasher()
    for part in parts { hasher.append(symbols.intern(part), in: symbols) }
    #expect(hasher.finish() == key, "\(story)")
  }

  @Test func `identities give the keys of the schema`() {
    var symbols = SymbolTable()
    let pro = ProductID(symbols.intern("pro"))
    let coins = ProductID(symbols.intern("coins"))
    let turtle = ProductID(symbols.intern("żółw"))
    let letter = AppleNumber("a", symbols: &symbols)
    var hasher = StableKeyHasher()

    let lineItem = LineItemID(AppleNumber(rawValue: 520_000_123_456_789))
    let chain = OriginalTransactionID(AppleNumber(rawValue: 1_000_000_831_360_853))
    let charge = PurchaseIdentity(lineItem: lineItem, of: chain, isSandbox: false)
    #expect(charge.key(in: symbols, using: &hasher).rawValue == 134_691_872_691_994_637)
    let sandboxCharge = PurchaseIdentity(lineItem: lineItem, of: chain, isSandbox: true)
    #expect(sandboxCharge.key(in: symbols, using: &hasher).rawValue == 6_176_215_549_190_046_211)

    var row = TransactionObservation(
      record: 0, rank: .latest, transactionID: TransactionID(letter),
      originalTransactionID: OriginalTransactionID(AppleNumber(rawValue: 1_000_000_831_360_853)),
      productID: pro, purchasedAt: Instant(milliseconds: 1_628_533_562_000))
    row.expiresAt = Instant(milliseconds: 1_631_211_962_000)
    let subscription = PurchaseIdentity(of: row, isSandbox: false)
    #expect(subscription.key(in: symbols, using: &hasher).rawValue == 3_408_371_052_593_074_056)

    row.originalTransactionID = OriginalTransactionID(AppleNumber(rawValue: 7))
    row.purchasedAt = Instant(milliseconds: -1)
    let before1970 = PurchaseIdentity(of: row, isSandbox: false)
    #expect(before1970.key(in: symbols, using: &hasher).rawValue == 5_569_571_961_591_685_481)

    row.expiresAt = nil
    row.originalTransactionID = OriginalTransactionID(letter)
    row.productID = coins
    let oneTime = PurchaseIdentity(of: row, isSandbox: false)
    #expect(oneTime.key(in: symbols, using: &hasher).rawValue == 2_636_999_217_799_451_191)

    row.originalTransactionID = OriginalTransactionID(AppleNumber(rawValue: 0))
    row.productID = turtle
    let beyondASCII = PurchaseIdentity(of: row, isSandbox: false)
    #expect(beyondASCII.key(in: symbols, using: &hasher).rawValue == 6_836_397_481_757_993_050)
  }

  @Test func `numbers are hashed as the decimal digits they are`() {
    for number in [0, 9, 10, 99, 1_000_000, Int64.max, -1, Int64.min] as [Int64] {
      var asNumber = StableKeyHasher()
      asNumber.append(number)
      var symbols = SymbolTable()
      var asText = StableKeyHasher()
      asText.append(symbols.intern("\(number)"), in: symbols)
      #expect(asNumber.finish() == asText.finish(), "\(number)")
    }
  }

  @Test func `parts do not run into each other`() {
    var symbols = SymbolTable()
    var hasher = StableKeyHasher()
    for part in ["ab", "c"] { hasher.append(symbols.intern(part), in: symbols) }
    let first = hasher.finish()
    for part in ["a", "bc"] { hasher.append(symbols.intern(part), in: symbols) }
    #expect(hasher.finish() != first)
    #expect(first >= 0)
  }
}
