internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import StateStore

/// The small rows that a publication keeps for the next run, such as prices and products.
struct PublishedSums: Sendable {
  /// An unexplained price rise: nothing shows whether the chain's subscriber pays the new price.
  struct Question: Sendable {
    var chain: ChainKey
    var question: PaidAmounts.UnexplainedPriceRise
  }

  /// The files in use.
  var files: [FileKeys.Reading] = []
  /// The time of the newest snapshot; `nil` without a snapshot.
  var newestSnapshot: Instant?
  /// The time until which the exports were complete; `nil` if no day was complete.
  var completeUntil: Instant?
  /// For each transaction id that several chains claim, the purchase to which it belongs.
  var winners: [TransactionID: PurchaseKey] = [:]
  /// The storefronts of customers, from records without transaction rows.
  var storefronts: [StorefrontObservation] = []
  /// The placeholder customer ids.
  var placeholderIDs: Set<CustomerID> = []
  /// The Apple accounts whose receipts were passed on, each by the smallest key of its chains.
  var passedOn: Set<ChainKey> = []
  var prices = PublishedPrices(intervals: [], currencies: [], apart: [])
  /// The hashes of the cells of Apple's reports; `nil` if there are no reports.
  var cellDigests: [ProductDay: UInt64]?
  var questions: [Question] = []
  /// The products of all purchases, including excluded purchases.
  var bought: Set<ProductID> = []
}

/// Encodes the sums as rows, and decodes them.
///
/// The filters write rows in the same format; some kinds of rows occur only here.
extension PublishedSums {
  private static let tags =
    [
      "bought", "cells", "passed", "placeholder", "question", "reading", "run", "storefront",
      "winner",
    ]
    + PriceBookRows.tags

  func rows(_ texts: StateTexts) throws(RunFailure) -> [UInt8] {
    let (symbols, numbers) = (texts.set.symbols, texts.numbers)
    let output = FilterOutput(Self.tags, isInMemory: true)
    func number(_ customer: CustomerID) -> FilterField {
      .number(Int64(numbers[Int(customer.symbol.rawValue)]))
    }
    try output.row(
      "run", .number(newestSnapshot?.milliseconds), .number(completeUntil?.milliseconds))
    for file in files { try output.row("reading", .number(file.file), .number(file.number)) }
    for (id, winner) in winners.sorted(by: { $0.key < $1.key }) {
      try output.row(
        "winner", .text(Array(id.number.text(in: symbols).utf8)), .number(winner.rawValue))
    }
    for place in storefronts {
      guard let customer = place.customer else { continue }
      try output.row(
        "storefront", number(customer), .word(place.storefront.code),
        .number(place.observedAt.milliseconds))
    }
    for placeholder in placeholderIDs.sorted() {
      try output.row("placeholder", number(placeholder))
    }
    for account in passedOn.sorted() {
      try output.row("passed", .key(account.rawValue))
    }
    try PriceBookRows.write(prices, symbols, to: output)
    for asked in questions { try output.row(QuestionRow(asked, symbols)) }
    for product in bought.sorted() {
      try output.row("bought", FilterField.product(product, symbols))
    }
    // The row without a day shows that Apple's reports exist, even if they have no cell.
    if cellDigests != nil { try output.row("cells", .number(nil), .number(nil), .flag(false)) }
    let digests = (cellDigests ?? [:]).sorted {
      ($0.key.day, $0.key.productID?.symbol.rawValue ?? 0, $0.value)
        < ($1.key.day, $1.key.productID?.symbol.rawValue ?? 0, $1.value)
    }
    for (place, digest) in digests {
      try output.row(
        "cells",
        [.number(place.day.daysSinceEpoch), .number(Int64(bitPattern: digest))]
          + (place.productID.map { [.flag(true)] + FilterField.product($0, symbols) }
            ?? [.flag(false)]))
    }
    return output.inMemory()
  }

  /// Decodes the sums from the rows that ``rows(_:)`` encoded.
  init(rows bytes: [UInt8], _ texts: StateTexts) throws(RunFailure) {
    let rows = try FilterInput.rows(of: bytes, name: "last_publication.sums", Set(Self.tags))
    var symbols = texts.set.symbols
    prices = try PriceBookRows(rows: rows.filter { PriceBookRows.tags.contains($0.tag) })
      .prices(in: &symbols)
    for var row in rows { try read(&row, texts, &symbols) }
  }

  private mutating func read(
    _ row: inout FilterRow, _ texts: StateTexts, _ symbols: inout SymbolTable
  ) throws(RunFailure) {
    func customer(_ row: inout FilterRow) throws(RunFailure) -> CustomerID {
      guard let number = UInt32(exactly: try row.number()),
        let symbol = texts.symbol(ofNumber: number)
      else { throw row.failure("a customer that is known") }
      return CustomerID(symbol)
    }
    switch row.tag {
    case "run": (newestSnapshot, completeUntil) = (try row.moment(), try row.moment())
    case "reading":
      files.append(FileKeys.Reading(file: try row.number(), number: try row.number()))
    case "winner":
      let text = try row.requiredText()
      let id = TransactionID(AppleNumber(text.span, symbols: &symbols))
      winners[id] = PurchaseKey(rawValue: try row.number())
    case "storefront":
      let customer = try customer(&row)
      guard let storefront = try row.storefront() else { throw row.failure("a storefront") }
      storefronts.append(
        StorefrontObservation(
          observedAt: Instant(milliseconds: try row.number()), storefront: storefront,
          customer: customer, originalTransactionID: nil))
    case "placeholder": placeholderIDs.insert(try customer(&row))
    case "passed": passedOn.insert(ChainKey(rawValue: try row.key()))
    case QuestionRow.tag: questions.append(try row.read(QuestionRow.self).asked(in: &symbols))
    case "cells":
      cellDigests = cellDigests ?? [:]
      guard let day = try row.optionalNumber(), let digest = try row.optionalNumber() else { break }
      let product = try row.flag() ? try row.product(in: &symbols) : nil
      cellDigests?[ProductDay(product, CivilDay(daysSinceEpoch: day))] = UInt64(bitPattern: digest)
    case "bought": bought.insert(try row.product(in: &symbols))
    default: break
    }
  }
}

/// An unexplained price rise.
private struct QuestionRow: CodedRow {
  static let tag = "question"
  private var chain: Int64 = 0
  private var product = ProductFields()
  /// The rise; its product is the one above.
  private var rise = PaidAmounts.UnexplainedPriceRise(
    chain: ChainPosition(0), productID: ProductID(Symbol(rawValue: 0)),
    currency: Currency(rawValue: 0), storefront: nil, from: .epoch, oldPrice: .zero,
    newPrice: .zero, rows: 0, instalment: nil)

  init() {}

  init(_ asked: PublishedSums.Question, _ symbols: SymbolTable) {
    (chain, rise) = (asked.chain.rawValue, asked.question)
    product = ProductFields(rise.productID, symbols)
  }

  func asked(in symbols: inout SymbolTable) -> PublishedSums.Question {
    var found = PublishedSums.Question(chain: ChainKey(rawValue: chain), question: rise)
    found.question.productID = product.product(in: &symbols)
    return found
  }

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("chain", key: &chain)
    try product.coded(by: &coder)
    try coder.code("currency", &rise.currency)
    try coder.code("storefront", &rise.storefront)
    try coder.code("from", &rise.from)
    try coder.code("old_price_milli", &rise.oldPrice)
    try coder.code("new_price_milli", &rise.newPrice)
    try coder.code("rows", number: &rise.rows)
    try coder.code("instalments", &rise.instalment)
  }
}
