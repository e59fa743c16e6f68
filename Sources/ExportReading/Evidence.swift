internal import Amounts
internal import CivilTime
internal import Crypto
internal import PurchaseModel

/// The identity of a report's content (SCHEMA, "Keys and hash").
///
/// The first eight bytes, big-endian and without the top bit, of the SHA-256 over these texts
/// joined by 0x1F, an absent one empty: customer id, transaction id, product, storefront,
/// currency, reported milliseconds, price in thousandths, applied discount; then for the
/// introductory offer and each other by the bytes of its id: the id (empty for the introductory
/// one), price in thousandths, payment mode, number of periods, period. No text holds 0x1F.
func evidenceID(of report: PriceReport, offers: [OfferPrice], symbols: SymbolTable) -> Int64 {
  var content = EvidenceContent(symbols: symbols)
  content.add(report.customer?.symbol)
  if let number = report.transactionID?.number {
    if let symbol = number.symbol { content.add(symbol) } else { content.add(number.rawValue) }
  } else {
    content.add("")
  }
  content.add(report.productID.symbol)
  content.add(report.storefront?.code ?? "")
  content.add(report.currency.code)
  content.add(report.reportedAt.milliseconds)
  content.add(report.price.rawValue)
  content.add(report.appliedDiscount?.symbol)
  for offer in offers {
    content.add(offer.offerID?.symbol)
    content.add(offer.price.rawValue)
    content.add(offer.paymentMode.name)
    if let count = offer.numberOfPeriods { content.add(count) } else { content.add("") }
    content.add(offer.period?.text ?? "")
  }
  return content.identity
}

/// Texts joined by 0x1F.
private struct EvidenceContent {
  private let symbols: SymbolTable
  private var bytes: [UInt8] = []
  private var isEmpty = true

  init(symbols: SymbolTable) {
    self.symbols = symbols
    bytes.reserveCapacity(256)
  }

  mutating func add(_ symbol: Symbol?) {
    separate()
    if let symbol { bytes += symbols.utf8(symbol) }
  }

  mutating func add(_ text: String) {
    separate()
    bytes += text.utf8
  }

  mutating func add(_ number: some BinaryInteger) {
    add(String(number))
  }

  var identity: Int64 {
    let digest = SHA256.hash(data: bytes)
    let first = digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: first & UInt64(Int64.max))
  }

  private mutating func separate() {
    if !isEmpty { bytes.append(0x1F) }
    isEmpty = false
  }
}
