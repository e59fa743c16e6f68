public import Amounts
public import PaidAmounts

/// A checked pipeline file: what to read, where to write and by which settings.
///
/// Every path is absolute, or relative to the working directory as the pipeline's own path was.
public struct PipelineDefinition: Hashable, Sendable {
  /// The pipeline file, as it was named.
  public var path: String
  /// The private working database.
  public var statePath: String
  /// The database for analysts.
  public var warehousePath: String
  /// Where receipt exports lie.
  public var receiptPatterns: [InputPattern]
  /// Where price reports lie.
  public var pricePatterns: [InputPattern]
  /// The catalogue, if any.
  public var cataloguePath: String?
  /// The European Central Bank's exchange rates, if any.
  public var ratesPath: String?
  /// The currency reports are summed up in, if any.
  public var reportingCurrency: Currency?
  /// What a renewal after a price rise is booked at.
  public var renewalPolicy: RenewalPolicy
  /// The apps whose purchases count, sorted; empty for all.
  public var bundleIDs: [String]
  /// Where the report is written, if anywhere.
  public var reportPath: String?
  /// The script that draws the report's charts; `nil` for Debian's libjs-chart.js.
  public var chartScriptPath: String?
  /// Where the warehouse's description for Datasette is written, if anywhere.
  public var datasetteMetadataPath: String?
  /// Where the warehouse's description for dbt is written, if anywhere.
  public var dbtSourcesPath: String?
  /// Where the metrics are written, if anywhere.
  public var metricsPath: String?
  /// The file with the key of the customers' hash; `nil` for the fixed public key.
  public var customerKeyPath: String?
  /// Where the gates stand.
  public var limits: RunLimits
  /// How raw receipts are validated, if they are.
  public var validation: ValidationSettings?
  /// Keys of the file that have no effect in this version, in the file's terms.
  public var keysWithoutEffect: [String]
}

/// Where a run stops rather than publish.
public struct RunLimits: Hashable, Sendable {
  /// Rejected records in a million records of the files first read in this run.
  public var rejectedPerMillion: Int = 10_000
  /// How many refused files may stand.
  public var refusedFiles: Int = 0
  /// By which share, in millionths, the records of an export day may fall below the usual; `nil`
  /// for no limit.
  public var volumeDropPerMillion: Int? = 500_000
  /// The least share of rows with a known amount, in millionths; `nil` for no limit.
  public var coverageFloorPerMillion: Int?

  /// The limits that hold where a pipeline names none.
  public init() {}
}
