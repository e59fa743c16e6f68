public import Diagnostics
public import PurchaseModel

/// Reads the records of exports of signed transactions.
///
/// Injected, so that reading exports does not depend on certificates and signatures.
public protocol SignedExportReading: Sendable {
  /// The identity of this way of reading, trusted roots included; empty for the default.
  var identity: String { get }

  /// A reader for one file, used by one thread.
  func makeReader() -> any SignedRecordStaging
}

/// Stages the records of one file of signed transactions.
public protocol SignedRecordStaging {
  /// Stages a record.
  ///
  /// Rows and renewal states are appended in the order of the records that they belong to.
  ///
  /// - Parameters:
  ///   - record: The text of one JSON value, or a bare token.
  ///   - line: The line on which it begins.
  ///   - set: Takes the content of the record.
  ///   - symbols: The texts of the set.
  /// - Returns: The account of its tokens.
  /// - Throws: ``SignedRecordFault`` if it holds no token.
  mutating func stage(
    _ record: Span<UInt8>, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) throws(SignedRecordFault) -> SignedRecordAccount
}

/// The reason why a whole record of signed transactions is unusable.
public struct SignedRecordFault: Error, Hashable, Sendable {
  /// The stable reason.
  public let reason: RejectReason
  /// The finding and its place, without a value of a customer.
  public let detail: String

  /// Creates a fault from its fields.
  public init(reason: RejectReason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// The account of one record: how many of its tokens were verified, trusted or rejected.
public struct SignedRecordAccount: Sendable {
  /// The number of tokens with a verified signature.
  public var verified = 0
  /// The number of tokens trusted without checking their signature.
  public var trusted = 0
  /// The number of payloads without a signature.
  public var unsigned = 0
  /// The number of transactions and renewal states of which nothing names the store.
  public var assumedProduction = 0
  /// The number of transactions revoked in a way that Apple added since; no money is discarded.
  public var unknownRevocations = 0
  /// The tokens that are left out.
  public var faults: [SignedRecordFault] = []
  /// Price reports made of unsigned payloads, which are claims like a phone's; no offers.
  public var claims: [PriceReport] = []

  /// An account of no token.
  public init() {}

  /// The number of tokens used.
  public var used: Int { verified + trusted + unsigned }
}

extension RecordReader {
  /// Reads a record of signed transactions.
  ///
  /// An unusable token is ignored and reported. A record without a usable one is rejected for the
  /// first of them.
  mutating func readSignedRecord(_ cursor: JSONCursor) throws(SignedRecordFault) {
    guard signedReader != nil else {
      preconditionFailure("signed exports are read with a reader of their own")
    }
    let text = unsafe cursor.wholeText
    let account = try unsafe signedReader?.stage(
      text.span, line: Int32(clamping: line), into: &set, symbols: &fields.symbols)
    guard let account else { return }
    rejectedRows = account.faults.count
    guard account.used > 0 || account.faults.isEmpty else {
      let first = account.faults[0]
      note(account.faults.dropFirst())
      throw first
    }
    tally.tokens.verified += account.verified
    tally.tokens.trusted += account.trusted
    tally.tokens.unsigned += account.unsigned
    notices.assumedProduction += account.assumedProduction
    notices.unknownRevocations += account.unknownRevocations
    note(account.faults[...])
    for claim in account.claims { stageClaim(claim) }
  }

  private mutating func note(_ faults: ArraySlice<SignedRecordFault>) {
    tally.tokens.rejected += faults.count
    for fault in faults {
      if let known = rowFaults.firstIndex(where: { $0.reason == fault.reason }) {
        rowFaults[known].count += 1
      } else {
        rowFaults.append(RowFault(reason: fault.reason, place: fault.detail))
      }
    }
  }

  /// Stages the price of an unsigned payload, as a report that may be wrong.
  private mutating func stageClaim(_ claim: PriceReport) {
    var report = claim
    let (id, check) = evidence.identity(of: report, offers: [], symbols: fields.symbols)
    guard knownReports.insert(id, check: check) else { return }
    report.evidenceID = id
    report.offers = set.offers.count..<set.offers.count
    set.reports.append(report)
  }
}
