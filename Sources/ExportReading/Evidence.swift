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
///
/// The check is made of the next eight bytes: two reports with the same identity and check are
/// equal.
func evidence(
  of report: PriceReport, offers: [OfferPrice], symbols: SymbolTable
) -> (id: Int64, check: UInt64) {
  var content = EvidenceContent(symbols: symbols)
  content.add(report.customer?.symbol)
  let transaction = report.transactionID?.number
  if let symbol = transaction?.symbol {
    content.add(symbol)
  } else {
    content.add(transaction.map { Int64(bitPattern: $0.rawValue) })
  }
  content.add(report.productID.symbol)
  content.add(letters: report.storefront?.rawValue)
  content.add(letters: report.currency.rawValue)
  content.add(report.reportedAt.milliseconds)
  content.add(report.price.rawValue)
  content.add(report.appliedDiscount?.symbol)
  for offer in offers {
    content.add(offer.offerID?.symbol)
    content.add(offer.price.rawValue)
    content.add(offer.paymentMode.name)
    content.add(offer.numberOfPeriods.map(Int64.init))
    content.add(offer.period?.text)
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

  /// Adds a text, or an empty part.
  mutating func add(_ symbol: Symbol?) {
    separate()
    if let symbol { bytes += symbols.utf8(symbol) }
  }

  /// Adds a text, or an empty part.
  mutating func add(_ text: String?) {
    separate()
    if let text { bytes += text.utf8 }
  }

  /// Adds a number in decimal, or an empty part.
  mutating func add(_ number: Int64?) {
    separate()
    guard let number else { return }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds letters packed into a number, the first one highest, or an empty part.
  mutating func add(letters packed: UInt32?) {
    separate()
    guard let packed else { return }
    for shift in stride(from: 24, through: 0, by: -8) where packed >> UInt32(shift) & 0xFF != 0 {
      bytes.append(UInt8(truncatingIfNeeded: packed >> UInt32(shift)))
    }
  }

  var identity: (id: Int64, check: UInt64) {
    let digest = SHA256.hash(data: bytes)
    let first = digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let second = digest.dropFirst(8).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return (Int64(bitPattern: first & UInt64(Int64.max)), second)
  }

  private mutating func separate() {
    if !isEmpty { bytes.append(0x1F) }
    isEmpty = false
  }
}
