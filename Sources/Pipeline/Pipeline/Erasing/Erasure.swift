package import StateStore
package import Diagnostics
package import Logging
internal import Warehouse

/// Erases customers from state.db and the warehouse, under one lock.
package struct Erasure {
  package let definition: PipelineDefinition
  package let ids: Set<String>
  package let log: Logger

  package init(definition: PipelineDefinition, ids: Set<String>, log: Logger) {
    self.definition = definition
    self.ids = ids
    self.log = log
  }

  /// Erases the customers, publishes the facts again, and overwrites the ids in freed database
  /// pages.
  ///
  /// After an interruption, the same command finishes the work.
  ///
  /// - Parameters:
  ///   - waitSeconds: The time to wait for another run, in seconds.
  /// - Returns: The numbers of customers erased now, erased before, and unknown; and the files that
  ///   were changed or still contain customers.
  /// - Throws: ``RunFailure`` with status 75 if another program is reading a log that contains
  ///   erased data.
  package func run(waitSeconds: Int, deciding: Stage, publishing: Stage) throws(RunFailure)
    -> Account
  {
    var account = Account()
    let isPublished = try WarehouseDatabase(path: definition.warehousePath).exists()
    guard isPublished, !isStateEmpty else {
      let lock = try StateLock(statePath: definition.statePath, waitSeconds: waitSeconds)
      account = try eraseInState()
      // Without state.db there are no facts to publish; the run that rebuilds it publishes them.
      if isPublished { try noteTraces() } else { try noteScrubbed() }
      withExtendedLifetime(lock) {}
      return account
    }
    try Runner(
      definition: definition, log: log, waitSeconds: waitSeconds, kind: RunStart.erasureKind
    ).run(
      preparation: { () throws(RunFailure) in account = try eraseInState() }, [deciding],
      publishing: publishing)
    let state = try StateDatabase.openToRead(path: definition.statePath)
    guard try !state.needsScrub() else { throw heldBack(definition.warehousePath) }
    return account
  }

  /// The result of an erasure: the numbers of customers, and the files that contained their ids.
  package struct Account {
    package var customers = ErasureSummary()
    package var exports = ErasedInExports.Account()
    package var fetched = ErasedInFetched.Account()

    package init(customers: ErasureSummary = ErasureSummary()) { self.customers = customers }
  }

  private func eraseInState() throws(RunFailure) -> Account {
    let state = try StateDatabase.open(path: definition.statePath, create: true)
    try RemovalsFile.reconcile(state, at: definition.statePath)
    var account = Account(customers: try state.erase(customers: ids, at: SystemClock.now))
    try RemovalsFile.reconcile(state, at: definition.statePath)
    account.exports = try ErasedInExports(definition: definition, state: state).run()
    account.fetched = try ErasedInFetched(definition: definition, state: state).run()
    if account.customers.erased + account.customers.known > 0, try !state.scrub() {
      throw heldBack(definition.statePath)
    }
    try state.close()
    return account
  }

  /// Whether state.db is missing, or no file has been read into it.
  private var isStateEmpty: Bool {
    guard PathStatus.exists(definition.statePath) else { return true }
    let files = try? StateDatabase.openToRead(path: definition.statePath).files()
    return files?.isEmpty ?? false
  }

  private func noteTraces() throws(RunFailure) {
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try state.noteTraces()
    try state.close()
  }

  /// Records that no erased data is left, in a pipeline without published facts.
  ///
  /// First removes the unfinished warehouse of a first run that was killed.
  private func noteScrubbed() throws(RunFailure) {
    try WarehouseDatabase(path: definition.warehousePath).removeUnfinished()
    let state = try StateDatabase.open(path: definition.statePath, create: false)
    try state.noteScrubbed()
    try state.close()
  }

  private func heldBack(_ path: String) -> RunFailure {
    RunFailure(
      .tryAgain,
      "the customers are erased, but another program is reading \(OneLine.text(path)), whose log "
        + "may still contain their ids. End that program and run the same command again.")
  }
}
