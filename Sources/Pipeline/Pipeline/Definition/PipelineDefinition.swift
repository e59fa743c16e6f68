internal import SharedTables
internal import Amounts
package import ExportReading
package import PaidAmounts
package import PurchaseModel
internal import StateStore

/// A checked pipeline file: the inputs, the outputs and the settings.
///
/// Every path is absolute, or relative to the working directory as the pipeline's own path was.
package struct PipelineDefinition: Hashable, Sendable {
  /// The pipeline file, as it was named.
  package var path: String
  /// The private working database.
  package var statePath: String
  /// The database for analysts.
  package var warehousePath: String
  /// The folders and name patterns of receipt exports.
  package var receiptPatterns: [InputPattern]
  /// The folders and name patterns of price reports.
  var pricePatterns: [InputPattern]
  /// The folders and name patterns of signed transactions.
  var signedPatterns: [InputPattern]
  /// The folders and name patterns of Apple's reports.
  package var reportPatterns: [InputPattern]
  /// The catalogue's files, the last one on top; empty if there is none.
  package var cataloguePaths: [String]
  /// The owner's corrections of amounts, if any.
  package var correctionsPath: String?
  /// The European Central Bank's exchange rates, if any.
  var ratesPath: String?
  /// The owner's rates of currencies that the bank does not list, if any.
  var moreRatesPath: String?
  /// The currency reports are summed up in, if any.
  var reportingCurrency: Currency?
  /// The price that a renewal after a price rise is booked at.
  package var renewalPolicy: RenewalPolicy
  /// The apps whose purchases count, sorted; empty for all.
  package var bundleIDs: [String]
  /// The path of the dashboard; `nil` if none is written.
  package var dashboardPath: String?
  /// The script that draws the dashboard's charts; `nil` for Debian's libjs-chart.js.
  package var chartScriptPath: String?
  /// The path of the warehouse's description for Datasette; `nil` if none is written.
  package var datasetteMetadataPath: String?
  /// The path of the warehouse's description for dbt; `nil` if none is written.
  package var dbtSourcesPath: String?
  /// The path of the metrics; `nil` if none are written.
  var metricsPath: String?
  /// The file with the key of the customers' hash; `nil` for the fixed public key.
  package var customerKeyPath: String?
  /// The exports' field mapping and price unit.
  var fieldMapping: FieldMapping
  /// Whether the pipeline sets the unit of its prices.
  var namesPriceUnit: Bool
  /// The gates' actions and limits.
  package var gates: GateRules
  /// The settings for validating raw receipts; `nil` if none are validated.
  package var validation: ValidationSettings?
  /// The settings for fetching from Apple what the exports lack; `nil` if there are none.
  package var fetching: FetchSettings?
  /// Keys of the file that have no effect in this version, in the file's terms.
  package var keysWithoutEffect: [String]

  /// The folders and name patterns of a kind of input.
  package func patterns(of kind: InputFile.Kind) -> [InputPattern] {
    switch kind {
    case .receipts: receiptPatterns
    case .prices: pricePatterns
    case .signed: signedPatterns
    case .appleReports: reportPatterns
    }
  }

  /// The way in which the files at a path are read: that of the entry whose pattern it matches.
  package func fieldMapping(of path: String, kind: InputFile.Kind) -> FieldMapping {
    patterns(of: kind).first { $0.fieldMapping != nil && $0.holds(path) }?.fieldMapping
      ?? fieldMapping
  }

  /// The hashes of all ways in which files of a kind are read.
  func fieldMappings(of kind: InputFile.Kind) -> Set<String> {
    Set(
      ([fieldMapping] + patterns(of: kind).compactMap(\.fieldMapping)).map {
        $0.reading(of: kind).fieldMapping
      }
    )
  }

  /// The identity of all ways in which files are read; empty for the standard field mapping.
  var mappingIdentity: String {
    let entries = InputFile.Kind.allCases.flatMap { kind in
      patterns(of: kind).compactMap { pattern in
        pattern.fieldMapping.map { "\(kind.rawValue) \(pattern.text)\n\($0.identity(of: kind))" }
      }
    }
    return ([fieldMapping.identity] + entries).filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
