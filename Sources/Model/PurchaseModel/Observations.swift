/// An input file: its id, path, hash and kind of content.
public struct InputFile: Hashable, Sendable {
  /// The kind of content of an input file.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Responses of Apple that contain receipts.
    case receipts
    /// Price reports of apps.
    case prices
    /// Signed transactions (JWS) of Apple's server API.
    case signed
    /// Exports of hosted subscription services.
    case exports
    /// Reports of App Store Connect.
    case appleReports = "apple_reports"
  }

  /// The id of the file in state.db and in `audit_file`.
  public var id: Int64
  /// The file's path as the run found it.
  public var name: String
  /// The SHA-256 of the file's bytes as stored, compressed or not; lower-case hex.
  public var sha256: String
  /// The kind of the file's content.
  public var kind: Kind

  /// Creates a file from its fields.
  public init(id: Int64, name: String, sha256: String, kind: Kind) {
    self.id = id
    self.name = name
    self.sha256 = sha256
    self.kind = kind
  }
}

/// The content of all inputs, before any rule is applied: the whole input of a reconstruction.
///
/// The symbol table is sorted, so symbols sort like their texts. Files are sorted by their hashes.
/// So a tie that is decided by the smaller ``SourceLine`` does not depend on file names. Every
/// price report occurs once; reports are sorted by evidence id.
public struct Observations: Sendable {
  /// The texts of all symbols in the other arrays.
  ///
  /// Once the observations are stored in state.db, the texts of customer ids are in ``customers``
  /// instead.
  public var symbols = SymbolTable()
  /// The texts of customer ids, and the customers who were erased.
  public var customers = Customers()
  /// The files, sorted by hash, then kind.
  public var files: [InputFile] = []
  /// The records of receipt exports, and the signed transactions.
  public var records: [ReceiptRecord] = []
  /// The transaction rows of the records.
  public var observations: [TransactionObservation] = []
  /// The renewal states of the records.
  public var renewals: [RenewalObservation] = []
  /// The price reports, sorted by evidence id.
  public var reports: [PriceReport] = []
  /// The offers of all price reports; each report refers to a range of this array.
  public var offers: [OfferPrice] = []

  /// Creates an empty set of observations.
  public init() {}
}
