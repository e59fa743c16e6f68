internal import Pipeline
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import ExportReading

/// A receipt with the outcome of its requests.
private struct DecidedReceipt: Sendable {
  let receipt: RawReceipt
  let place: RecordPlace
  let outcome: ReceiptOutcome?
}

/// Reads all raw receipts once, and requests responses to receipts without a final result.
///
/// The pipeline limits the number of concurrent requests. Each outcome is stored as soon as it is
/// known.
struct ValidationRound {
  private let store: ValidationDatabase
  private let decider: ReceiptDecider
  private let erased: CustomerReplacement?
  private let concurrency: Int
  private let answeredAfter: Instant?
  private var outage: OutageDetector
  private var isStopped = false
  private var open: Set<[UInt8]> = []
  private var pendingBefore: [[UInt8]: String] = [:]
  private var refusals: [String] = []
  var tally = ValidationTally()

  /// Prepares a round.
  ///
  /// - Parameters:
  ///   - erased: Replaces erased customers by pseudonyms; `nil` if no customer is erased.
  ///   - concurrency: The number of concurrent requests.
  ///   - answeredAfter: Receipts with a response before this time are sent again; `nil` if a
  ///     receipt with a response is never sent again.
  init(
    store: ValidationDatabase, decider: ReceiptDecider, erased: CustomerReplacement? = nil,
    concurrency: Int, answeredAfter: Instant?
  ) {
    self.store = store
    self.decider = decider
    self.erased = erased
    self.concurrency = concurrency
    self.answeredAfter = answeredAfter
    outage = OutageDetector(failureLimit: max(5, concurrency))
  }

  /// The number of receipts that earlier runs left pending and that are in no input file now.
  ///
  /// 0 if the run stopped early or reads receipts locally.
  var lostPending: Int { isStopped || decider.isLocal ? 0 : pendingBefore.count }
  /// Up to five of the files that contained the receipts of ``lostPending`` in an earlier run.
  var lostFiles: [String] { Array(Set(pendingBefore.values).sorted().prefix(5)) }

  /// Reads some files, and requests responses to the receipts that have no final result.
  mutating func sendRequests(_ found: FoundInputs, spoolFolder: String) async throws(RunFailure) {
    refusals = found.refusals.map(\.text)
    pendingBefore = try store.pendingRecords()
    for input in found.files {
      let file = try OpenInput(input, spoolFolder: spoolFolder)
      defer { file.close() }
      // Reads the file to its end before any request, because a damaged file must not be used.
      if let refusal = try await file.readRawReceipts({ _ in true }) {
        refusals.append("\(OneLine.text(input.path)): \(refusal.description)")
        continue
      }
      try await sendRequests(file, name: input.path)
    }
  }

  /// Throws if Apple could not be reached, or if a file of raw receipts was refused.
  ///
  /// Called after the last request.
  func check() throws(RunFailure) {
    guard !outage.isUnreachable else {
      throw RunFailure(
        .unavailable,
        """
        Apple cannot be reached (\(tally.reasonsText)). Nothing is lost: the next run requests the \
        rest, \(Count.text(tally.pending, "receipt")) pending and \(tally.unasked) not requested yet
        """)
    }
    guard refusals.isEmpty else {
      throw RunFailure(
        .dataRefused,
        "\(Count.text(refusals.count, "file")) of raw receipts refused; replace these "
          + "files and run again:\n"
          + refusals.map { "  \($0)" }.joined(separator: "\n"))
    }
  }

  private mutating func sendRequests(_ file: OpenInput, name: String) async throws(RunFailure) {
    var round = self
    let result = await withTaskGroup(of: DecidedReceipt.self) {
      group -> Result<Void, RunFailure> in
      do throws(RunFailure) {
        _ = try await file.readRawReceipts { line throws(RunFailure) in
          try StopSignal.check()
          guard let (receipt, place) = try round.next(line, in: name) else { return true }
          while round.open.count >= round.concurrency, let done = await group.next() {
            try round.take(done)
          }
          guard !round.isStopped else {
            group.cancelAll()
            round.tally.unasked += 1
            return true
          }
          round.open.insert(place.key)
          let decide = round.decider.decide
          group.addTask {
            DecidedReceipt(receipt: receipt, place: place, outcome: await decide(receipt))
          }
          return true
        }
        while let done = await group.next() {
          try round.take(done)
          if round.isStopped { group.cancelAll() }
        }
        return .success(())
      } catch {
        group.cancelAll()
        return .failure(error)
      }
    }
    self = round
    open = []
    try result.get()
  }

  /// Returns the receipt in a line if a response must be requested; else updates the tally and
  /// returns `nil`.
  private mutating func next(_ line: Result<RawReceipt, RawReceiptFault>, in name: String)
    throws(RunFailure) -> (RawReceipt, RecordPlace)?
  {
    tally.records += 1
    switch line {
    case .failure(let fault):
      let place = RecordPlace(key: fault.key, fileName: name, line: fault.line)
      if try store.status(of: place.key) != nil {
        tally.known += 1
      } else {
        try store.note(place, .rejected, reason: fault.code, at: SystemClock.now)
        count(rejected: fault.code)
      }
      return nil
    case .success(let receipt):
      let place = RecordPlace(key: key(of: receipt), fileName: name, line: receipt.line)
      pendingBefore[place.key] = nil
      guard !open.contains(place.key), try !isSettled(place.key) else {
        tally.known += 1
        return nil
      }
      return (receipt, place)
    }
  }

  /// Returns the key under which the state of a receipt is stored.
  ///
  /// A receipt that is read locally has a separate key, so that it can still be sent to Apple
  /// later.
  private func key(of receipt: RawReceipt) -> [UInt8] {
    decider.isLocal ? receipt.key.map { ~$0 } : receipt.key
  }

  private func isSettled(_ key: [UInt8]) throws(RunFailure) -> Bool {
    guard let status = try store.status(of: key) else { return false }
    switch status.state {
    case .pending: return false
    case .rejected: return !decider.isLocal  // Another root may vouch for it.
    case .answered: return answeredAfter.map { status.decidedAt >= $0 } ?? true
    }
  }

  /// Stores the outcome for one receipt.
  private mutating func take(_ decided: DecidedReceipt) throws(RunFailure) {
    let place = decided.place
    let now = SystemClock.now
    open.remove(place.key)
    switch decided.outcome {
    case nil: tally.unasked += 1
    case .answered(let answer):
      let line = ExportRecord.line(decided.receipt, response: answer.text, answeredAt: now)
      try store.store(answer: erased?.applied(to: line) ?? line, for: place, at: now)
      tally.answered += 1
      outage.receiptSettled()
    case .pending(let reason):
      try store.note(place, .pending, reason: reason, at: now)
      count(pending: reason)
      outage.receiptGivenUp()
      if outage.isOut { isStopped = true }
    case .perhapsMalformed:
      let isRejected = try store.noteMalformed(
        place, runsMax: ExportRecord.malformedRunsMax, at: now)
      if isRejected { count(rejected: "status_21002") } else { count(pending: "status_21002") }
      outage.receiptSettled()
    case .rejected(let reason):
      try store.note(place, .rejected, reason: reason, at: now)
      count(rejected: reason)
      outage.receiptSettled()
    case .wrongSecret:
      throw RunFailure(
        .badConfiguration,
        """
        Apple reports a wrong shared secret (21004), so no more requests were sent; correct \
        validate.shared_secret_file or \(AppSecret.variable) and run again
        """)
    }
  }

  private mutating func count(pending reason: String) {
    tally.pending += 1
    tally.reasons[reason, default: 0] += 1
  }

  private mutating func count(rejected reason: String) {
    tally.rejected += 1
    tally.reasons[reason, default: 0] += 1
  }
}
