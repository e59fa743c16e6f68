internal import CivilTime
public import Diagnostics
public import PurchaseModel

/// Creates readers for exports of signed transactions.
///
/// The protocol keeps the reading of exports independent of certificates and signatures.
public protocol SignedExportReading: Sendable {
  /// A text that identifies the settings, including trusted roots; empty for default settings.
  var identity: String { get }

  /// Creates a reader for one file, used by one thread.
  func makeReader() -> any SignedRecordStaging
}

/// Adds the records of one file of signed transactions to a set of observations.
public protocol SignedRecordStaging {
  /// Adds the content of a record to a set of observations.
  ///
  /// Rows and renewal states are appended in the order of their records.
  mutating func stage(
    _ record: Span<UInt8>, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) throws(SignedRecordFault) -> SignedRecordAccount

  /// Adds the content of a record whose values were found by paths.
  mutating func stage(
    _ values: SignedValues, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) throws(SignedRecordFault) -> SignedRecordAccount
}

/// The values of a record of signed transactions, found by a pipeline's paths or in a table.
public struct SignedValues: Sendable {
  /// One value.
  public struct Value: Sendable {
    /// The bytes of the value.
    public let bytes: [UInt8]
    /// Whether the value is the text of a table's cell; else it is JSON.
    public let isText: Bool
  }

  /// The customer; `nil` if the record has none.
  public let customerID: Value?
  /// The time at which the owner's server received the record; `nil` if the record has none.
  public let receivedAt: Value?
  /// The value that contains the tokens; `nil` if the record has none.
  public let signed: Value?
  /// Whether ``signed`` is the record itself, with the customer under a name of the pipeline's.
  public let isRecord: Bool

  /// Copies the values of ``RecordLayout/signedKeys``; `whole` is the record if it has the tokens
  /// itself.
  init(_ found: RecordFinder, whole: JSONCursor?) {
    let values = found.text.read { text in
      found.values.map { value in
        value.map { unsafe Value(bytes: Array(text.bytes($0.range)), isText: $0.isText) }
      }
    }
    (customerID, receivedAt) = (values[0], values[1])
    isRecord = whole != nil
    signed =
      whole.map { unsafe Value(bytes: Array($0.bytes(0..<$0.end)), isText: false) } ?? values[2]
  }
}

/// The reason why a whole record of signed transactions is unusable.
public struct SignedRecordFault: Error, Hashable, Sendable {
  /// The reason, as one of the stable codes.
  public let reason: RejectReason
  /// The fault and its location in the record, without customers' data.
  public let detail: String

  /// Creates a fault from its fields.
  public init(reason: RejectReason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// The tally of one record's tokens.
public struct SignedRecordAccount: Sendable {
  /// The number of tokens with a valid signature.
  public var verified = 0
  /// The number of tokens accepted without a signature check.
  public var trusted = 0
  /// The number of payloads without a signature.
  public var unsigned = 0
  /// The number of transactions and renewal states without an environment; they are treated as
  /// production.
  public var assumedProduction = 0
  /// The number of transactions with an unknown kind of revocation; they are treated as paid.
  public var unknownRevocations = 0
  /// The faults of unusable tokens.
  public var faults: [SignedRecordFault] = []
  /// The charges in unsigned payloads; their reports contain no offers.
  public var claims: [PriceReport] = []

  /// Creates an empty tally.
  public init() {}

  /// The number of used tokens.
  public var used: Int { verified + trusted + unsigned }
}

extension RecordReader {
  /// Reads a record of signed transactions, and leaves out faulty tokens; returns false if the
  /// record is rejected.
  mutating func readSigned(_ cursor: JSONCursor, since mark: StagingMark) -> Bool {
    defer { reportRowFaults() }
    do {
      try readSignedRecord(cursor)
      tally.used += 1
      countRows(since: mark)
      return true
    } catch {
      mark.restore(&set)
      tally.tokens.rejected += 1
      reject(error, of: cursor)
      return false
    }
  }

  /// Reads a record of signed transactions.
  ///
  /// An unusable token is skipped and counted as a fault. A record without a usable token is
  /// rejected, with the fault of its first token.
  private mutating func readSignedRecord(_ cursor: JSONCursor) throws(SignedRecordFault) {
    guard signedReader != nil else {
      preconditionFailure("a file of signed transactions needs its own reader")
    }
    let firstRecord = set.records.count
    let line = Int32(clamping: line)
    let whole = isContentItself ? cursor : nil
    let account =
      if let finder, finder.isFound {
        try signedReader?.stage(
          SignedValues(finder, whole: whole), line: line, into: &set, symbols: &fields.symbols)
      } else {
        try unsafe signedReader?.stage(
          cursor.wholeText.span, line: line, into: &set, symbols: &fields.symbols)
      }
    guard let account else { return }
    rejectedRows = account.faults.count
    guard account.used > 0 || account.faults.isEmpty else {
      let first = account.faults[0]
      note(account.faults.dropFirst())
      throw first
    }
    if let latest = limits.latestSnapshot,
      let future = set.records[firstRecord...].lazy.map(\.snapshotAt).max(), future > latest
    {
      rejectedRows += account.used
      tally.tokens.rejected += account.used - 1  // The caller counts one.
      note(account.faults[...])
      throw SignedRecordFault(
        reason: .futureSnapshot, detail: RejectReason.futureDetail(future.text))
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

  /// Adds the charge in an unsigned payload to ``set``, as a price report.
  private mutating func stageClaim(_ claim: PriceReport) {
    var report = claim
    if mapping.isTrusted { report.isTrusted = true }
    let (id, check) = evidence.identity(of: report, offers: [], symbols: fields.symbols)
    guard knownReports.insert(id, check: check) else { return }
    report.evidenceID = id
    report.offers = set.offers.count..<set.offers.count
    set.reports.append(report)
  }
}
