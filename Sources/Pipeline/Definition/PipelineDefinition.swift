internal import Amounts
internal import PaidAmounts

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
  /// Where the gates stand.
  var limits: RunLimits
  /// How raw receipts are validated, if they are.
  var validation: ValidationSettings?
  /// Keys of the file that have no effect in this version, in the file's terms.
  var keysWithoutEffect: [String]
}

/// Where a run stops rather than publish; the defaults hold where a pipeline names none.
struct RunLimits: Hashable, Sendable {
  /// Rejected records in a million records of the files first read in this run.
  var rejectedPerMillion: Int = 10_000
  /// How many refused files may stand.
  var refusedFiles: Int = 0
  /// By which share, in millionths, the records of an export day may fall below the usual; `nil`
  /// for no limit.
  var volumeDropPerMillion: Int? = 500_000
  /// The least share of rows with a known amount, in millionths; `nil` for no limit.
  var coverageFloorPerMillion: Int?
}
