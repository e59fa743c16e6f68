internal import Amounts
internal import ExportReading
internal import PaidAmounts
internal import PurchaseModel

/// A checked pipeline file: the inputs, the outputs and the settings.
///
/// Every path is absolute, or relative to the working directory as the pipeline's own path was.
struct PipelineDefinition: Hashable, Sendable {
  /// The pipeline file, as it was named.
  var path: String
  /// The private working database.
  var statePath: String
  /// The database for analysts.
  var warehousePath: String
  /// The folders and name patterns of receipt exports.
  var receiptPatterns: [InputPattern]
  /// The folders and name patterns of price reports.
  var pricePatterns: [InputPattern]
  /// The folders and name patterns of signed transactions.
  var signedPatterns: [InputPattern]
  /// The folders and name patterns of Apple's reports.
  var reportPatterns: [InputPattern]
  /// The catalogue, if any.
  var cataloguePath: String?
  /// The European Central Bank's exchange rates, if any.
  var ratesPath: String?
  /// The currency reports are summed up in, if any.
  var reportingCurrency: Currency?
  /// The price that a renewal after a price rise is booked at.
  var renewalPolicy: RenewalPolicy
  /// The apps whose purchases count, sorted; empty for all.
  var bundleIDs: [String]
  /// The path of the report; `nil` if none is written.
  var reportPath: String?
  /// The script that draws the report's charts; `nil` for Debian's libjs-chart.js.
  var chartScriptPath: String?
  /// The path of the warehouse's description for Datasette; `nil` if none is written.
  var datasetteMetadataPath: String?
  /// The path of the warehouse's description for dbt; `nil` if none is written.
  var dbtSourcesPath: String?
  /// The path of the metrics; `nil` if none are written.
  var metricsPath: String?
  /// The file with the key of the customers' hash; `nil` for the fixed public key.
  var customerKeyPath: String?
  /// The exports' spelling of keys and units of money.
  var spelling: ExportSpelling
  /// Whether the pipeline says itself in which unit its prices are.
  var namesPriceUnit: Bool
  /// The gates' actions and limits.
  var gates: GateRules
  /// The settings for validating raw receipts; `nil` if none are validated.
  var validation: ValidationSettings?
  /// The settings for asking Apple for what the exports lack; `nil` if nothing is asked.
  var fetching: FetchSettings?
  /// Keys of the file that have no effect in this version, in the file's terms.
  var keysWithoutEffect: [String]

  /// The folders and name patterns of a kind of input.
  func patterns(of kind: InputFile.Kind) -> [InputPattern] {
    switch kind {
    case .receipts: receiptPatterns
    case .prices: pricePatterns
    case .signed: signedPatterns
    case .appleReports: reportPatterns
    }
  }
}
