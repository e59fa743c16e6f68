internal import CivilTime
internal import Crypto
public import Diagnostics
public import PaidAmounts
public import PurchaseModel
public import Purchases

/// The values that the rows of all households have in common.
public struct FactContext: Sendable {
  /// The run that publishes.
  public let runID: Int64
  /// The prices and price changes known from App Store Connect.
  public let catalogue: Catalogue
  /// The input files, sorted by hash, then kind.
  ///
  /// If several observations of a purchase are equally new, the purchase's source is the
  /// observation in the first of their files.
  let files: [InputFile]
  let texts: SymbolTexts
  /// The symbol table with the texts of the run.
  public let symbols: SymbolTable
  /// The customers whose ids are hashed, and the erased customers.
  let customers: Customers
  let customerCode: HMAC<SHA256>
  /// The inputs that are compared with each other.
  let compared: ComparedInputs
  /// The kind of each product: from the catalogue, or else from the product's rows.
  let kinds: [ProductID: ProductKind]
  let periods: [ProductID: Period]
  let groups: [ProductID: SubscriptionGroupID]
  private let apps: ProductApps

  /// Collects the values for one run.
  ///
  /// - Throws: ``RunFailure`` for a key shorter than 32 bytes, which could be guessed.
  public init(
    runID: Int64, set: Observations, catalogue: Catalogue, products: ProductFacts,
    customerKey: [UInt8], compared: ComparedInputs = ComparedInputs()
  ) throws(RunFailure) {
    try CustomerKeys.check(customerKey)
    self.runID = runID
    self.catalogue = catalogue
    self.compared = compared
    customerCode = CustomerKeys.code(customerKey)
    files = set.files
    symbols = set.symbols
    texts = SymbolTexts(set.symbols)
    customers = set.customers
    kinds = products.kinds(catalogue: catalogue)
    periods = products.periods(catalogue: catalogue)
    groups = products.subscriptionGroups(catalogue: catalogue)
    apps = products.apps
  }

  /// The app of a product; `nil` if unknown.
  func app(of product: ProductID) -> Symbol? {
    (apps.app(of: product) ?? catalogue.products[product]?.bundle)?.symbol
  }

  /// The id in state.db of the file that contains a source line.
  func fileID(of source: SourceLine) -> Int64 { files[Int(source.file)].id }
}
