internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
internal import Parallel
public import PurchaseModel

/// The chains and price reports to read from state.db.
public struct StateSelection: Sendable {
  /// The keys of the chains, one list per partition.
  public var chains: [[ChainKey]]
  /// The evidence ids of the price reports.
  public var reports: [Int64]
  /// The numbers of the files whose content is not read.
  public var without: Set<Int64> = []
  /// The numbers of the files whose records without rows are part of the result.
  ///
  /// All chains of these files must be selected. Otherwise, a record whose rows belong only to
  /// other chains would seem to have no rows.
  public var whole: Set<Int64> = []

  /// Selects chains and price reports; each partition has at most 256 of the chains.
  public init(chains: some Sequence<ChainKey>, reports: some Sequence<Int64>) {
    self.chains = chains.sorted().chunks(of: 256)
    self.reports = reports.sorted()
  }

  /// Selects chains that are already divided into partitions; price reports are not read.
  public init(partitions: [[ChainKey]]) {
    chains = partitions
    reports = []
  }
}

extension StateDatabase {
  /// Loads the content of all used files; first reads all texts of state.db.
  ///
  /// See ``load(asOf:_:only:workers:rowsPerPartition:_:)``.
  public func load<Partition: Sendable>(
    asOf: Instant? = nil, workers: Int, rowsPerPartition: Int = 8192,
    _ make: @Sendable (Int, Observations) throws(RunFailure) -> Partition
  ) throws(RunFailure) -> LoadedPartitions<Partition> {
    try load(asOf: asOf, try texts(), workers: workers, rowsPerPartition: rowsPerPartition, make)
  }

  /// Loads the content of the used files without holding all observations in memory.
  ///
  /// Chains are read partition by partition on several threads, and only a computed value per
  /// partition is returned. A partition has complete chains. A record with several chains is in the
  /// partition of each chain.
  ///
  /// - Parameters:
  ///   - asOf: The time after which receipt records and price reports are ignored; `nil` uses all.
  ///   - texts: All texts of state.db, read since its last change.
  ///   - selection: The chains and price reports to read; `nil` for all.
  ///   - workers: The number of threads that read.
  ///   - reports: Receives the price reports in parts, on several threads at once; if `nil`, they
  ///     are part of the result.
  ///   - make: Computes the value of a partition from its number and its observations; called by
  ///     several threads at once.
  public func load<Partition: Sendable>(
    asOf: Instant? = nil, _ texts: StateTexts, only selection: StateSelection? = nil, workers: Int,
    rowsPerPartition: Int = 8192,
    reports: (@Sendable (Observations) throws(RunFailure) -> Void)? = nil,
    _ make: @Sendable (Int, Observations) throws(RunFailure) -> Partition
  ) throws(RunFailure) -> LoadedPartitions<Partition> {
    let limit = asOf ?? Instant(milliseconds: .max)
    let path = file.path
    return try file.read { db in
      guard try Self.generation(on: db) == texts.generation else {
        throw RunFailure(.tryAgain, "\(path): another run has changed this file. Run again.")
      }
      var set = texts.set
      let files = try LoadedFiles(db, without: selection?.without ?? [])
      set.files = files.files
      let plan =
        selection.map(PartitionPlan.init)
        ?? PartitionPlan(files: files, rowsPerPartition: rowsPerPartition)
      let reader = PartitionReader(
        empty: set, files: files, symbols: texts.stored, asOf: limit, plan: plan, path: path,
        loneFiles: selection.map { Set($0.whole.map(files.position)) }, onReports: reports)
      var read: [ReadPartitions<Partition>] = []
      if workers > 1, plan.itemCount > 1 {
        read = try Self.read(
          path: path, workers: min(workers, plan.itemCount), generation: texts.generation
        ) { db in try reader.read(db, make) }
      }
      // Reads the work items that remain: all items, if no other connection could read this
      // generation.
      read.append(try reader.read(db, make))
      return LoadedPartitions(read, into: set)
    }
  }

  /// Runs `body` on additional connections, one per thread.
  ///
  /// If another process has changed state.db since `generation` was read, a new connection does not
  /// call `body`. The other connections then read all work items.
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
