internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Warehouse

/// Writes the metrics of a run to a file atomically: readers never get an incomplete file.
struct MetricsFile {
  let definition: PipelineDefinition

  /// Writes the file at the key `metrics` of a pipeline; does nothing without that key.
  ///
  /// A value that cannot be read is written as 0. So metrics are written even after a run that
  /// failed because of a damaged database. After any failed run, the time of the last successful
  /// run is the later of the times in the previous file and in state.db.
  ///
  /// - Throws: ``RunFailure`` with status 73, 74 or 77.
  func write(
    startedAt: Instant, exitStatus: ExitStatus, milliseconds: [String: Int64]
  ) throws(RunFailure) {
    guard let path = definition.metricsPath else { return }
    let now = SystemClock.now
    var metrics = RunMetrics(
      completion: now, exitStatus: exitStatus.rawValue,
      lastSuccess: exitStatus == .success ? now : Self.lastSuccess(in: path),
      milliseconds: milliseconds)
    if PathStatus.exists(definition.statePath),
      let state = try? StateDatabase.openToRead(path: definition.statePath)
    {
      try? metrics.add(
        state, runStarted: startedAt, patience: definition.gates.completeAfterDays)
    }
    if PathStatus.exists(definition.warehousePath), let reader = try? PublishedWarehouse(definition)
    {
      try? metrics.add(reader)
    }
    metrics.bytes = [
      "state": Self.bytes(definition.statePath), "warehouse": Self.bytes(definition.warehousePath),
    ]
    _ = try TextFile.write(metrics.text(pipeline: Self.name(of: path)), to: path)
  }

  /// Returns the value of the label `pipeline` in all metrics: the file's name without `.prom`.
  ///
  /// Pipelines that write to one folder have different file names. Example: `var/shop.prom` →
  /// `shop`.
  static func name(of path: String) -> String {
    let name = FilePaths.name(of: path)
    return name.hasSuffix(".prom") ? String(name.dropLast(5)) : name
  }

  private static func bytes(_ database: String) -> Int64 {
    let file = RealPath.of(database) ?? database
    return ["", "-wal"].reduce(0) { sum, suffix in
      sum + ((try? PathStatus(at: file + suffix))?.size ?? 0)
    }
  }

  /// Reads the time of the last successful run from the previous file.
  private static func lastSuccess(in path: String) -> Instant? {
    guard let bytes = try? TextFile.bytes(path, what: "the metrics", limit: 1 << 20) else {
      return nil
    }
    let name = "paidline_last_success_timestamp_seconds{"
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name) }
    guard let seconds = line?.split(separator: " ").last.flatMap({ Int64($0) }), seconds > 0 else {
      return nil
    }
    return Instant(milliseconds: seconds * 1000)
  }
}
