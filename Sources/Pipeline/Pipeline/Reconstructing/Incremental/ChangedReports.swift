internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import StateStore

/// Finds new and changed price reports, and inserts the new reports between the known reports.
///
/// Known reports are those that the last publication used.
extension IncrementalReports {
  /// A report that was added since the last publication.
  struct Added {
    var placed: PlacedReport
    var report: KnownReport
  }

  /// Finds the changed reports, and removes reports that are no longer used.
  ///
  /// - Returns: The new reports, sorted by evidence id, and the evidence ids of the known reports
  ///   that changed.
  mutating func find(
    _ read: Observations, _ loaded: LoadedChains, _ chains: IncrementalChains,
    _ contested: Set<TransactionID>
  ) throws(FullRunReason) -> (added: [Added], known: [Int64]) {
    var changedIDs: Set<TransactionID> = []
    for chain in loaded.chains.values { changedIDs.formUnion(chain.claims.lazy.map { $0.id }) }
    var (added, known, removed) = ([Added](), [Int64](), [Int]())
    var next = 0
    for place in placed.indices {
      let evidenceID = placed[place].evidenceID
      while next < read.reports.count, read.reports[next].evidenceID < evidenceID {
        if let report = try new(read, next, chains, contested) { added.append(report) }
        next += 1
      }
      var isChanged = all[place].transactionID.map(changedIDs.contains) ?? false
      if next < read.reports.count, read.reports[next].evidenceID == evidenceID {
        isChanged = true
        next += 1
      }
      guard isChanged else { continue }
      if let id = all[place].transactionID {
        guard !contested.contains(id) else { throw .contestedID }
        if let chain = chains.chain(claiming: id), chains.isSandbox(chain) {
          dropped.append(Dropped(evidenceID: evidenceID, customer: all[place].customer))
          removed.append(place)
          continue
        }
      }
      known.append(evidenceID)
    }
    while next < read.reports.count {
      if let report = try new(read, next, chains, contested) { added.append(report) }
      next += 1
    }
    remove(removed)
    return (added, known)
  }

  /// Creates a report that was added since the last publication.
  ///
  /// `nil` if the report belongs to a sandbox purchase, because sandbox reports are not used.
  private mutating func new(
    _ read: Observations, _ position: Int, _ chains: IncrementalChains,
    _ contested: Set<TransactionID>
  ) throws(FullRunReason) -> Added? {
    let report = read.reports[position]
    if let id = report.transactionID {
      if contested.contains(id) { throw .contestedID }
      if let chain = chains.chain(claiming: id), chains.isSandbox(chain) { return nil }
    }
    let list = offers.index(of: Array(read.offers[report.offers]))
    let placed = PlacedReport(
      evidenceID: report.evidenceID, time: report.reportedAt, price: report.price,
      voter: Voter(-1), productID: report.productID, currency: report.currency, offers: list,
      place: report.storefront, hasOwnPlace: report.storefront != nil,
      setAside: report.meaning == .charged ? .charged : nil)
    let storedVerdict = StoredVerdict(ReportVerdict(place: report.storefront))
    return Added(
      placed: placed,
      report: KnownReport(
        customer: report.customer, transactionID: report.transactionID,
        storedVerdict: storedVerdict,
        unsigned: storedVerdict))
  }

  private mutating func move(_ old: Int, to new: Int) {
    placed[new] = placed[old]
    all[new] = all[old]
  }

  /// Removes the reports at the given positions, which must be ascending.
  private mutating func remove(_ places: [Int]) {
    guard let first = places.first else { return }
    var (kept, next) = (first, 0)
    for place in first..<placed.count {
      if next < places.count, places[next] == place {
        next += 1
      } else {
        move(place, to: kept)
        kept += 1
      }
    }
    placed.removeSubrange(kept...)
    all.removeSubrange(kept...)
  }

  /// Inserts new reports, sorted by evidence id, between the known reports.
  ///
  /// Merges from the end towards the beginning, so that no copy is needed.
  mutating func merge(_ added: [Added]) {
    var (old, left) = (placed.count, added.count)
    placed += added.lazy.map { $0.placed }
    all += added.lazy.map { $0.report }
    var place = placed.count
    while left > 0 {
      place -= 1
      let report = added[left - 1]
      if old > 0, placed[old - 1].evidenceID > report.placed.evidenceID {
        old -= 1
        move(old, to: place)
      } else {
        left -= 1
        placed[place] = report.placed
        all[place] = report.report
      }
    }
  }
}
