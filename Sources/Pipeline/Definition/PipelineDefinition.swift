internal import Amounts
internal import ExportReading
internal import PaidAmounts
internal import PurchaseModel

/// A checked pipeline file: what to read, where to write and by which settings.
///
/// Every path is absolute, or relative to the working directory as the pipeline's own path was.
struct PipelineDefinition: Hashable, Sendable {
  /// The pipeline file, as it was named.
  var path: String
  /// The private working database.
  var statePath: String
  /// The database for analysts.
  var warehousePath: String
  /// Where receipt exports lie.
  var receiptPatterns: [InputPattern]
  /// Where price reports lie.
  var pricePatterns: [InputPattern]
  /// Where signed transactions lie.
  var signedPatterns: [InputPattern]
  /// Where Apple's reports lie.
  var reportPatterns: [InputPattern]
  /// The catalogue, if any.
  var cataloguePath: String?
  /// The European Central Bank's exchange rates, if any.
  var ratesPath: String?
  /// The currency reports are summed up in, if any.
  var reportingCurrency: Currency?
  /// What a renewal after a price rise is booked at.
  var renewalPolicy: RenewalPolicy
  /// The apps whose purchases count, sorted; empty for all.
  var bundleIDs: [String]
  /// Where the report is written, if anywhere.
  var reportPath: String?
  /// The script that draws the report's charts; `nil` for Debian's libjs-chart.js.
  var chartScriptPath: String?
  /// Where the warehouse's description for Datasette is written, if anywhere.
  var datasetteMetadataPath: String?
  /// Where the warehouse's description for dbt is written, if anywhere.
  var dbtSourcesPath: String?
  /// Where the metrics are written, if anywhere.
  var metricsPath: String?
  /// The file with the key of the customers' hash; `nil` for the fixed public key.
  var customerKeyPath: String?
  /// How the exports spell keys and count money.
  var spelling: ExportSpelling
  /// Whether the pipeline says itself in which unit its prices are.
  var namesPriceUnit: Bool
  /// What the gates do, and where they trip.
  var gates: GateRules
  /// How raw receipts are validated, if they are.
  var validation: ValidationSettings?
  /// How Apple is asked for what the exports lack, if it is.
  var fetching: FetchSettings?
  /// Keys of the file that have no effect in this version, in the file's terms.
  var keysWithoutEffect: [String]

  /// Where the inputs of a kind lie.
  func patterns(of kind: InputFile.Kind) -> [InputPattern] {
    switch kind {
    case .receipts: receiptPatterns
    case .prices: pricePatterns
    case .signed: signedPatterns
    case .appleReports: reportPatterns
    }
  }
}
