internal import SharedTables
internal import Amounts
package import CivilTime
package import ExportReading
package import PaidAmounts
package import PurchaseModel

/// A checked pipeline file: the inputs, the outputs and the settings.
///
/// Every path is absolute, or relative to the working directory.
package struct PipelineDefinition: Hashable, Sendable {
  /// The path of the pipeline file, as given by the user.
  package var path: String
  /// The path of state.db, the private working database.
  package var statePath: String
  /// The path of warehouse.db, the database for analysts.
  package var warehousePath: String
  /// The path patterns of receipt exports.
  package var receiptPatterns: [InputPattern]
  /// The path patterns of exports with price reports.
  var pricePatterns: [InputPattern]
  /// The path patterns of exports with signed transactions.
  var signedPatterns: [InputPattern]
  /// The path patterns of hosted services' exports.
  var exportPatterns: [InputPattern]
  /// The path patterns of files with Apple's reports.
  package var reportPatterns: [InputPattern]
  /// The files of the catalogue, the lowest priority first; empty if there is none.
  package var cataloguePaths: [String]
  /// The file with the owner's corrections; `nil` if there is none.
  package var correctionsPath: String?
  /// The file with the European Central Bank's exchange rates; `nil` if there is none.
  var ratesPath: String?
  /// The file with the owner's rates of currencies that the bank does not publish.
  ///
  /// `nil` if there is none.
  var moreRatesPath: String?
  /// The currency to which figures are converted for sums; `nil` if none is set.
  var reportingCurrency: Currency?
  /// The policy that decides a renewal's price after a price rise.
  package var renewalPolicy: RenewalPolicy
  /// The owner's apps, sorted; purchases in other apps are excluded from revenue.
  ///
  /// Empty for all apps.
  package var bundleIDs: [String]
  /// The path of the dashboard; `nil` if none is written.
  package var dashboardPath: String?
  /// The script that draws the dashboard's charts; `nil` for Debian's libjs-chart.js.
  package var chartScriptPath: String?
  /// The time zone of the days on the dashboard; `nil` for UTC.
  package var reportTimeZone: TimeZoneRules?
  /// The path of Datasette's metadata about the warehouse; `nil` if it is not written.
  package var datasetteMetadataPath: String?
  /// The path of dbt's sources of the warehouse; `nil` if they are not written.
  package var dbtSourcesPath: String?
  /// The path of the metrics; `nil` if none are written.
  var metricsPath: String?
  /// The file with the secret key for hashing customer ids; `nil` for the fixed public key.
  package var customerKeyPath: String?
  /// The field mapping for input entries that state no field mapping.
  var fieldMapping: FieldMapping
  /// Whether the pipeline file states the unit of prices in its exports.
  var namesPriceUnit: Bool
  /// The gates' actions and limits.
  package var gates: GateRules
  /// The settings for validating raw receipts; `nil` if there are none.
  package var validation: ValidationSettings?
  /// The settings for requesting data from Apple; `nil` if there are none.
  package var fetching: FetchSettings?
  /// The keys in the pipeline file that have no effect, each with the reason.
  ///
  /// Example: `inputs.rates without reporting_currency`.
  package var keysWithoutEffect: [String]

  /// Returns the path of an input file with a name: absolute, or relative to the working directory.
  ///
  /// Names of input files are relative to the pipeline's folder, wherever a run is started.
  package func place(of name: String) -> String {
    name == "-" ? name : FilePaths.resolve(name, in: FilePaths.folder(of: path))
  }

  /// Returns the path patterns of one kind of input.
  package func patterns(of kind: InputFile.Kind) -> [InputPattern] {
    switch kind {
    case .receipts: receiptPatterns
    case .prices: pricePatterns
    case .signed: signedPatterns
    case .exports: exportPatterns
    case .appleReports: reportPatterns
    }
  }

  /// Returns the field mapping of a file.
  ///
  /// Uses the first input entry that has a field mapping and whose pattern matches the path.
  /// Without such an entry, uses the mapping of the whole pipeline.
  package func fieldMapping(of path: String, kind: InputFile.Kind) -> FieldMapping {
    patterns(of: kind).first { $0.fieldMapping != nil && $0.holds(path) }?.fieldMapping
      ?? fieldMapping
  }

  /// Returns the first input entry whose pattern matches a path; `nil` if there is none.
  package func entry(of path: String, kind: InputFile.Kind) -> InputPattern? {
    patterns(of: kind).first { $0.holds(path) }
  }

  /// Returns the digests of all field mappings that the pipeline has for files of a kind.
  ///
  /// A file that was read under any other mapping is read again.
  func fieldMappings(of kind: InputFile.Kind) -> Set<String> {
    Set(
      ([fieldMapping] + patterns(of: kind).compactMap(\.fieldMapping)).map {
        $0.reading(of: kind).fieldMapping
      }
    )
  }

  /// The services whose exports the pipeline reads, and whether it reads Apple's data beside them.
  var compared: ComparedInputs {
    ComparedInputs(
      services: Set(exportPatterns.compactMap { $0.fieldMapping?.export?.service }).sorted(),
      haveAppleData: !receiptPatterns.isEmpty || !signedPatterns.isEmpty)
  }

  /// The names of these services.
  package var serviceNames: [String] { compared.services.map(\.name) }

  /// All field mappings as text for a digest; empty for the standard field mapping.
  ///
  /// If the digest changes, the facts are computed again.
  var mappingIdentity: String {
    let entries = InputFile.Kind.allCases.flatMap { kind in
      patterns(of: kind).compactMap { pattern in
        pattern.fieldMapping.map { "\(kind.rawValue) \(pattern.text)\n\($0.identity(of: kind))" }
      }
    }
    return ([fieldMapping.identity] + entries).filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
