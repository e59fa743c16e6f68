package import Diagnostics
package import Logging
package import Pipeline
internal import Warehouse

/// The third stage: writes the dashboard, and descriptions of the warehouse for other programs.
///
/// It opens the warehouse only for reading. Its output depends only on the warehouse, the chart
/// script, and the rates of currencies that only Apple's reports have.
package struct PublishStage {
  package let definition: PipelineDefinition
  package let log: Logger

  package init(definition: PipelineDefinition, log: Logger) {
    self.definition = definition
    self.log = log
  }

  /// Writes the dashboard, Datasette's metadata and dbt's sources to the files in the pipeline.
  ///
  /// An output is left out if the pipeline names no file for it.
  ///
  /// Each file is replaced in one step, so that a reader never gets an incomplete file.
  package func run() throws(RunFailure) {
    guard definition.hasPublications else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(definition.path)): nothing to publish; give the path of a file under "
          + PipelineDefinition.publicationKeys.joined(separator: ", "))
    }
    var files: [(path: String, text: String)] = []
    if let path = definition.dashboardPath { files.append((path, try dashboard())) }
    files += try descriptions()
    // Who may read the facts may read the pages, and nobody else.
    let mode = (try? PathStatus(at: definition.warehousePath))?.permissions
    for (path, text) in files {
      try StopSignal.check()
      let isWritten = try TextFile.write(text, to: path, mode: mode)
      log.notice(
        isWritten ? "wrote \(OneLine.text(path))" : "\(OneLine.text(path)) is unchanged",
        metadata: [
          "event": isWritten ? "file_written" : "file_unchanged", "file": "\(OneLine.text(path))",
          "bytes": "\(text.utf8.count)",
        ])
    }
  }

  /// Creates the descriptions of the warehouse for Datasette and dbt.
  private func descriptions() throws(RunFailure) -> [(path: String, text: String)] {
    let paths = (definition.datasetteMetadataPath, definition.dbtSourcesPath)
    guard paths.0 != nil || paths.1 != nil else { return [] }
    let description = try PublishedWarehouse(definition).read {
      try DescriptionReading.read(on: $0)
    }
    do {
      let database = FilePaths.stem(of: definition.warehousePath)
      return try [
        paths.0.map { ($0, try DatasetteMetadata.yaml(description, database: database)) },
        paths.1.map { ($0, try SourcesFile.yaml(description)) },
      ].compactMap(\.self)
    } catch {
      throw RunFailure(.invariantBroken, "the description of the warehouse is not YAML: \(error)")
    }
  }

  private func dashboard() throws(RunFailure) -> String {
    let definition = definition
    let read = try FigureReading.read(
      zone: definition.reportTimeZone, rates: { definition.reportingRates() }
    ) { () throws(RunFailure) in try PublishedWarehouse(definition) }
    guard var figures = read else { throw PublishedWarehouse.nothing(of: definition) }
    figures.fetchesPrices = definition.fetching?.prices != nil
    figures.pipelineName = FilePaths.name(of: definition.path)
    let script = try ChartScript.read(definition, log: log)
    try StopSignal.check()
    do {
      return try DashboardPage.html(figures, chartScript: script)
    } catch {
      throw RunFailure(
        .invariantBroken, "the built-in template of the dashboard cannot be used: \(error)")
    }
  }
}

/// The library that draws the dashboard's charts.
enum ChartScript {
  /// The largest accepted script, in bytes; Chart.js has 0.2 MB.
  private static let limit = 8 << 20

  /// Reads the chart script of a pipeline; `nil` if it is missing.
  ///
  /// Without the script, the page has no charts. Charts are not facts, so a missing script is only
  /// a warning.
  static func read(_ definition: PipelineDefinition, log: Logger) throws(RunFailure) -> String? {
    let path = definition.chartScriptPath ?? PipelineDefinition.installedChartScript
    guard PathStatus.exists(path) else {
      let message = "\(OneLine.text(path)) is missing, so the dashboard has tables but no charts"
      if definition.chartScriptPath == nil {
        log.notice(
          "\(message); install libjs-chart.js, or set report_chart_script to the path of Chart.js")
      } else {
        log.warning("\(message); correct report_chart_script")
      }
      return nil
    }
    return try TextFile.read(path, what: "the chart script", limit: limit)
  }
}
