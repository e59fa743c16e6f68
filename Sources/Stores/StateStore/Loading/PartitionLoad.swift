internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
internal import Parallel
public import PurchaseModel

/// A part of the files' content.
public struct StateSelection: Sendable {
  /// The chains, by key.
  public var chains: [ChainKey]
  /// The price reports, by evidence id.
  public var reports: [Int64]
  /// The files that are left out, by number.
  public var without: Set<Int64> = []
  /// The files whose records without any row are wanted: all chains of them are among the selected.
  public var whole: Set<Int64> = []

  /// Selects chains and reports.
  public init(chains: some Sequence<ChainKey>, reports: some Sequence<Int64>) {
    self.chains = chains.sorted()
    self.reports = reports.sorted()
  }
}

extension StateDatabase {
  /// Everything, with the texts of this moment; see ``load(asOf:_:only:workers:rowsInShare:_:)``.
  ///
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, and the error of `make`.
  public func load<Share: Sendable>(
    asOf: Instant? = nil, workers: Int, rowsInShare: Int = 8192,
    _ make: @Sendable (Int, Observations) throws(RunFailure) -> Share
  ) throws(RunFailure) -> LoadedPartitions<Share> {
    try load(asOf: asOf, try texts(), workers: workers, rowsInShare: rowsInShare, make)
  }

  /// The content of the used files, without ever holding all observations.
  ///
  /// Chains are read partition by partition, on several threads, and only the value made from a
  /// partition is kept. A partition holds whole chains. A record that names several chains is in
  /// the partition of each chain, as often as it names a chain.
  ///
  /// - Parameters:
  ///   - asOf: leaves out receipt records and price reports later than this moment; `nil` leaves
  ///     out none.
  ///   - texts: all texts, of this generation.
  ///   - selection: the part that is read; `nil` for everything.
  ///   - workers: The number of threads that read.
  ///   - rowsInShare: The approximate number of rows in a partition.
  ///   - reports: Takes the price reports, some at a time, on several threads at once; if `nil`,
  ///     they are part of the result.
  ///   - make: Makes a value from the observations of a partition, given its number; called by
  ///     several threads at once.
  /// - Returns: the whole input of a reconstruction.
  /// - Throws: ``RunFailure`` when reading fails or state.db is damaged, and the error of `make`.
  public func load<Share: Sendable>(
    asOf: Instant? = nil, _ texts: StateTexts, only selection: StateSelection? = nil, workers: Int,
    rowsInShare: Int = 8192,
    reports: (@Sendable (Observations) throws(RunFailure) -> Void)? = nil,
    _ make: @Sendable (Int, Observations) throws(RunFailure) -> Share
  ) throws(RunFailure) -> LoadedPartitions<Share> {
    let limit = asOf ?? Instant(milliseconds: .max)
    let path = file.path
    return try file.read { db in
      guard try Self.generation(on: db) == texts.generation else {
        throw RunFailure(.tryAgain, "\(path): another run changed it meanwhile. Run again.")
      }
      var set = texts.set
      let files = try LoadedFiles(db, without: selection?.without ?? [])
      set.files = files.files
      let plan =
        selection.map(PartitionPlan.init) ?? PartitionPlan(files: files, rowsInShare: rowsInShare)
      let reader = PartitionReader(
        empty: set, files: files, symbols: texts.stored, asOf: limit, plan: plan, path: path,
        loneFiles: selection.map { Set($0.whole.map(files.position)) }, takeReports: reports)
      var read: [ReadPartitions<Share>] = []
      if workers > 1, plan.pieces > 1 {
        read = try Self.read(
          path: path, workers: min(workers, plan.pieces), generation: texts.generation
        ) { db in try reader.read(db, make) }
      }
      // The rest, or everything if none of those sees the same content.
      read.append(try reader.read(db, make))
      return LoadedPartitions(read, into: set)
    }
  }

  /// Reads on connections of their own.
  ///
  /// A connection opened after another process has changed state.db reads other content than the
  /// first connection. It reads nothing, and the others read its part.
  private static func read<Value: Sendable>(
    path: String, workers: Int, generation: Int64, _ body: @Sendable (Database) throws -> Value
  ) throws(RunFailure) -> [Value] {
    let values = try inParallel(workers, workers: workers) { _ throws(RunFailure) -> Value? in
      let file = try DatabaseFile(path: path, format: .state, access: .readOnly)
      let value = try file.read { db in
        try Self.generation(on: db) == generation ? try body(db) : nil
      }
      try file.close()
      return value
    }
    return values.compactMap(\.self)
  }
}
