/// An input file as facts know it.
public struct InputFile: Hashable, Sendable {
  /// The kind of content.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Receipt responses.
    case receipts
    /// Price reports.
    case prices
    /// Signed transactions.
    case signed
    /// Reports of App Store Connect.
    case appleReports = "apple_reports"
  }

  /// The id in state.db and `audit_file`.
  public var id: Int64
  /// The file's path as the run found it.
  public var name: String
  /// Lower-case hex of the SHA-256 of its bytes, compressed as they were.
  public var sha256: String
  /// The kind of content.
  public var kind: Kind

  /// Creates a file from its fields.
  public init(id: Int64, name: String, sha256: String, kind: Kind) {
    self.id = id
    self.name = name
    self.sha256 = sha256
    self.kind = kind
  }
}

/// The content of all inputs, before any rule: the whole input of a reconstruction.
///
/// The symbol table is sorted, so symbols sort like their texts. Files are in the order of their
/// hashes, so the smaller ``SourceLine`` is the one that ties are broken by. Every price report
/// occurs once, in the order of evidence ids.
public struct Observations: Sendable {
  /// The texts that the other arrays name, but for customers once they are stored.
  public var symbols = SymbolTable()
  /// The texts of the customers, and the erased customers.
  public var customers = Customers()
  /// The files, by hash, then kind.
  public var files: [InputFile] = []
  /// The records of receipt exports, and the signed transactions.
  public var records: [ReceiptRecord] = []
  /// Their rows.
  public var observations: [TransactionObservation] = []
  /// Their renewal states.
  public var renewals: [RenewalObservation] = []
  /// The price reports.
  public var reports: [PriceReport] = []
  /// The offers of the reports.
  public var offers: [OfferPrice] = []

  /// An empty set.
  public init() {}
}
