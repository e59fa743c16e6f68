internal import Diagnostics
internal import PurchaseModel

/// The files that the third stage, `paidline-publish`, writes.
extension PipelineDefinition {
  /// The keys of the pipeline file that set the paths of the published files.
  package static let publicationKeys = ["report", "datasette_metadata", "dbt_sources"]

  /// The path at which Debian's package libjs-chart.js installs Chart.js.
  package static let installedChartScript = "/usr/share/javascript/chart.js/chart.min.js"

  /// The files that `paidline-publish` writes, each with its key in the pipeline.
  var publications: [(key: String, path: String)] {
    zip(Self.publicationKeys, [dashboardPath, datasetteMetadataPath, dbtSourcesPath])
      .compactMap { key, path in path.map { (key, $0) } }
  }

  /// Whether `paidline-publish` has any file to write.
  package var hasPublications: Bool { !publications.isEmpty }

  /// The files next to the databases: logs, the lock, temporary files and drafts.
  private var accompanyingFiles: [TakenPath] {
    let logs = ["-wal", "-shm", "-journal"]
    let unfinished = ([""] + logs).map { ".building" + $0 }
    let what = "the files of state or warehouse"
    let (state, warehouse) = (
      TakenPath(what: what, path: statePath), TakenPath(what: what, path: warehousePath)
    )
    return (logs + ["-rows", "-memory", ".removals"]).map(state.appending)
      + (logs + unfinished).map(warehouse.appending)
      + [TakenPath(what: what, path: StateLock.path(besides: statePath))]
  }

  /// Refuses an output path that is also the path of another file of the pipeline.
  ///
  /// Writing the output would destroy the other file. The paths are compared as they are written,
  /// and after following symbolic links.
  func checkPublications(_ top: SettingsMapping) throws(RunFailure) {
    var taken: [(what: String, path: String)] = [
      ("this file", path), ("state", statePath), ("warehouse", warehousePath),
    ]
    let others: [(String, String?)] = [
      ("inputs.rates", ratesPath), ("inputs.more_rates", moreRatesPath),
      ("inputs.corrections", correctionsPath),
      ("report_chart_script", chartScriptPath), ("customer_key_file", customerKeyPath),
    ]
    taken += cataloguePaths.map { ("inputs.catalog", $0) }
    taken += others.compactMap { what, path in path.map { (what, $0) } }
    let accompanyingFiles = accompanyingFiles
    for (key, path, other) in [
      ("state", statePath, "warehouse"), ("warehouse", warehousePath, "state"),
    ] {
      let name = FilePaths.normalized(path)
      guard !accompanyingFiles.contains(where: { $0.name == name }) else {
        throw top.failure(key, expected: "a file other than the files of \(other)")
      }
    }
    var known = taken.map { TakenPath(what: $0.what, path: $0.path) } + accompanyingFiles
    if TakenPath.followed(statePath) == TakenPath.followed(warehousePath) {
      throw top.failure("warehouse", expected: "a file other than state")
    }
    let patterns =
      InputFile.Kind.allCases.flatMap { self.patterns(of: $0) }
      + (validation?.receiptPatterns ?? [])
    for (key, path) in publications + (metricsPath.map { [("metrics", $0)] } ?? []) {
      let output = TakenPath(what: key, path: path)
      if let other = known.first(where: { $0.name == output.name || $0.real == output.real }) {
        throw top.failure(key, expected: "a file other than \(other.what)")
      }
      if let input = patterns.first(where: {
        $0.holds(place: output.name) || $0.holds(resolved: output.real)
      }) {
        throw top.failure(
          key, expected: "a file other than the inputs \(OneLine.text(input.text))")
      }
      known.append(output)
    }
  }
}

/// A path that no output may have, by its name and by the file behind it.
private struct TakenPath {
  let what: String
  let name: String
  let real: String

  init(what: String, path: String) {
    self.what = what
    name = FilePaths.normalized(path)
    real = Self.followed(path)
  }

  private init(what: String, name: String, real: String) {
    self.what = what
    self.name = name
    self.real = real
  }

  /// The path of a file beside this one, such as its log, whose name begins with this one's.
  func appending(_ ending: String) -> TakenPath {
    TakenPath(what: what, name: name + ending, real: real + ending)
  }

  /// The path after following symbolic links; the file need not exist.
  static func followed(_ path: String) -> String {
    if let real = RealPath.of(path) { return real }
    let folder = FilePaths.folder(of: path)
    return FilePaths.join(RealPath.of(folder) ?? folder, FilePaths.name(of: path))
  }
}
