internal import Amounts
internal import CivilTime
internal import Crypto
internal import PurchaseModel

/// Computes the ids of price reports (`price_evidence.evidence_id`) as hashes of their content.
///
/// The hash is the first eight bytes of a SHA-256, big-endian and without the top bit. The SHA-256
/// is computed from the following texts, joined by 0x1F. An absent value is an empty text.
///
/// 1. The report: customer id, transaction id, product, storefront, currency, reported
///    milliseconds, price in thousandths, applied discount.
/// 2. Each offer: id, price in thousandths, payment mode, number of periods, period. The
///    introductory offer is first and has an empty id. The other offers are sorted by the bytes of
///    their ids.
/// 3. `charged`, if the price is a transaction's charge.
/// 4. The sender of a charge, and `trusted` if the owner's server verified the charge; not for
///    amounts of the app. So equal charges of two senders are two reports.
/// 5. `app` and the bundle id, if the report has an app.
///
/// No text contains 0x1F. A hasher reuses its buffer for all reports.
struct EvidenceHasher {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(256)
  }

  /// Returns the hash of a report, and the next eight bytes of its SHA-256 as a check value.
  ///
  /// Two reports with equal hashes and equal check values are treated as equal.
  mutating func identity(
    of report: PriceReport, offers: [OfferPrice], symbols: borrowing SymbolTable
  ) -> (id: Int64, check: UInt64) {
    bytes.removeAll(keepingCapacity: true)
    add(report.customer?.symbol, in: symbols)
    let transaction = report.transactionID?.number
    if let symbol = transaction?.symbol {
      add(symbol, in: symbols)
    } else {
      add(transaction.map { Int64(bitPattern: $0.rawValue) })
    }
    add(report.productID.symbol, in: symbols)
    add(letters: report.storefront?.rawValue)
    add(letters: report.currency.rawValue)
    add(report.reportedAt.milliseconds)
    add(report.price.rawValue)
    add(report.appliedDiscount?.symbol, in: symbols)
    for offer in offers {
      add(offer.offerID?.symbol, in: symbols)
      add(offer.price.rawValue)
      add(offer.paymentMode.name)
      add(offer.numberOfPeriods.map(Int64.init))
      add(offer.period?.text)
    }
    if report.meaning == .charged { add(report.meaning.rawValue) }
    if report.isCharge {
      add("\(report.sender)")
      if report.isTrusted { add("trusted") }
    }
    if let bundle = report.bundle {
      add("app")
      add(bundle.symbol, in: symbols)
    }
    bytes.removeLast()  // the separator after the last part
    return hash()
  }

  /// Adds a text, or an empty text for `nil`.
  private mutating func add(_ symbol: Symbol?, in symbols: borrowing SymbolTable) {
    if let symbol { bytes += symbols.utf8(symbol) }
    bytes.append(Self.separator)
  }

  /// Adds a text, or an empty text for `nil`.
  private mutating func add(_ text: String?) {
    if let text { bytes += text.utf8 }
    bytes.append(Self.separator)
  }

  /// Adds a number in decimal, or an empty text for `nil`.
  private mutating func add(_ number: Int64?) {
    if let number { bytes.append(decimal: number) }
    bytes.append(Self.separator)
  }

  /// Adds a code whose letters are packed into a number, or an empty text for `nil`.
  private mutating func add(letters packed: UInt32?) {
    if let packed {
      for shift in stride(from: 24, through: 0, by: -8) where packed >> UInt32(shift) & 0xFF != 0 {
        bytes.append(UInt8(truncatingIfNeeded: packed >> UInt32(shift)))
      }
    }
    bytes.append(Self.separator)
  }

  private func hash() -> (id: Int64, check: UInt64) {
    var hash = SHA256()
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    return unsafe hash.finalize().withUnsafeBytes { digest in
      let first = unsafe UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self))
      let second = unsafe UInt64(
        bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return (Int64(bitPattern: first & UInt64(Int64.max)), second)
    }
  }

  private static let separator: UInt8 = 0x1F
}
