internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Completes a receipt record whose rows are already in ``set``.
  ///
  /// Checks the status of the response, adds its remaining renewal states and the price report, and
  /// appends the record itself. A record without a time has no rows and is not appended.
  mutating func stageRecord(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, since start: StagingMark
  ) throws(FieldFault) {
    try checkStatus(since: start)
    let receivedAt = try receivedAt(bank, cursor)
    let isSandbox =
      draft.status == 21007
      || draft.isSandbox ?? (draft.hasSandboxFlag || draft.isSandboxType ?? false)
    let namesStore = isSandbox || draft.isSandbox != nil || draft.isSandboxType != nil
    let snapshotAt = draft.requestedAt ?? receivedAt ?? newestEvent(since: start)
    if let snapshotAt { try requirePast(snapshotAt) }
    let customer = try customer(bank, cursor)
    let storefront = try storefront(bank[.storefront] ?? bank[.storeCountry], cursor)
    stageTopLevelRenewal(since: start)
    stageUnnamedRenewals(since: start)
    try stageEmbeddedReport(
      bank, cursor, isSandbox: isSandbox,
      context: ReportContext(
        customer: customer, storefront: storefront, time: receivedAt ?? snapshotAt))
    guard let snapshotAt else {
      // A record without a time has no rows, and its renewal states cannot be ordered.
      dropUndatedRenewals(since: start)
      return
    }
    dropRepeatedRows(since: start)
    if !namesStore {
      notices.assumedProduction +=
        set.observations.count - start.observations + set.renewals.count - start.renewals
    }
    var record = ReceiptRecord(
      source: SourceLine(file: 0, line: Int32(clamping: line)),
      ordinal: 0, snapshotAt: snapshotAt, customer: customer,
      storefront: storefront, bundle: draft.bundle, isSandbox: isSandbox)
    record.isProductionAssumed = !namesStore
    set.records.append(record)
  }

  /// Rejects a snapshot of the future.
  private mutating func requirePast(_ snapshotAt: Instant) throws(FieldFault) {
    guard let latest = limits.latestSnapshot, snapshotAt > latest else { return }
    draft.futureSnapshotAt = snapshotAt
    throw FieldFault(reason: .futureSnapshot)
  }

  /// Finds the time of the newest purchase, refund or renewal change in a response; `nil` without
  /// rows.
  ///
  /// A record without a time of its own uses this time as the snapshot's time. Example: such a
  /// record shows a purchase of May 3 and its refund of May 9. Its time is May 9. If its time were
  /// May 3, a snapshot of May 5 without the refund would seem newer and undo the refund.
  private func newestEvent(since start: StagingMark) -> Instant? {
    let rows = set.observations[start.observations...]
    guard
      let newest = rows.lazy.map({ max($0.purchasedAt, $0.cancelledAt ?? $0.purchasedAt) }).max()
    else { return nil }
    return max(newest, draft.renewalChangedAt ?? newest)
  }

  /// Rejects a record with a failed or missing response.
  ///
  /// Removes the rows and renewal states of a response with status 21007 or 21010.
  private mutating func checkStatus(since start: StagingMark) throws(FieldFault) {
    switch draft.status {
    case nil where draft.hasRows: return
    case nil: throw FieldFault(reason: .notAReceipt)
    case 0, 21006:
      // The status belongs to a program that wraps Apple's response. Without this check the
      // response would be lost without a message.
      guard draft.hasRows || draft.hasParts || !draft.hasForeignParts else {
        throw FieldFault(reason: .notAReceipt)
      }
      return
    case 21007: notices.sandboxReceipts += 1
    case 21010: notices.deletedAccounts += 1
    case .some(let status): throw FieldFault(reason: rejectReason(ofStatus: status))
    }
    set.observations.removeSubrange(start.observations...)
    set.renewals.removeSubrange(start.renewals...)
    draft.renewal = TopLevelRenewal()
    draft.unnamedRenewals = []
    draft.unusableRows = 0
    rejectedRows = 0
    rowFaults.removeAll(keepingCapacity: true)
  }

  /// Removes the renewal states of a response that has no time, and records them as rejects.
  private mutating func dropUndatedRenewals(since start: StagingMark) {
    for index in 0..<(set.renewals.count - start.renewals) {
      noteRowFault(
        FieldFault(reason: .rowWithoutPurchaseDate, key: ReceiptKey.requestDate.rawValue),
        list: "pending_renewal_info", index: index, names: receiptTables.receipt)
    }
    set.renewals.removeSubrange(start.renewals...)
  }

  private mutating func receivedAt(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    if let scalar = bank[.receivedMilliseconds],
      let instant = try fields.instant(milliseconds: scalar, in: cursor)
    {
      return instant
    }
    guard let scalar = bank[.receivedAt] else { return nil }
    if let instant = try fields.instant(local: scalar, in: cursor) { return instant }
    let instant = try fields.instant(text: scalar, in: cursor)
    if instant == nil, scalar.length > 0 { notices.unreadableTimes += 1 }
    return instant
  }

  private mutating func customer(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> CustomerID? {
    if let id = try fields.symbol(.customerID, of: bank, in: cursor) { return CustomerID(id) }
    return try fields.symbol(.appUserID, of: bank, in: cursor).map(CustomerID.init)
  }

  /// Reads the storefront of a record or report; an unreadable storefront is counted, but not used.
  mutating func storefront(
    _ scalar: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> Storefront? {
    guard let scalar, scalar.length > 0 else { return nil }
    let storefront = try fields.withText(scalar, in: cursor) { Storefront($0) }
    if storefront == nil { notices.unreadableStorefronts += 1 }
    return storefront
  }

  /// Removes each `in_app` row whose values are all in a `latest_receipt_info` row of the record.
  ///
  /// Most rows of a response are in both lists; removing the copy loses no evidence.
  private mutating func dropRepeatedRows(since start: StagingMark) {
    let repeated = repeatedRows(from: start.observations)
    guard var kept = repeated.first else { return }
    var next = 0
    for index in kept..<set.observations.count {
      if next < repeated.count, repeated[next] == index {
        next += 1
        continue
      }
      set.observations[kept] = set.observations[index]
      kept += 1
    }
    repeatedRows += set.observations.count - kept
    set.observations.removeSubrange(kept...)
  }

  /// Finds the positions of `in_app` rows that repeat a `latest_receipt_info` row, ascending.
  private func repeatedRows(from start: Int) -> [Int] {
    let rows = set.observations[start...]
    let inAppCount = rows.reduce(0) { $0 + ($1.rank == .inApp ? 1 : 0) }
    let latestCount = rows.count - inAppCount
    guard inAppCount > 0, latestCount > 0 else { return [] }
    let latest = LatestRows(rows: rows, isLong: inAppCount > 4096 / latestCount)
    return rows.indices.filter {
      rows[$0].rank == .inApp && latest.cover(rows[$0], in: rows)
    }
  }
}

/// The rows of `latest_receipt_info` in one record, searched by transaction id.
private struct LatestRows {
  /// The positions of the rows; sorted by transaction id if there are many.
  private var positions: [Int]
  private let isSorted: Bool

  init(rows: ArraySlice<TransactionObservation>, isLong: Bool) {
    positions = rows.indices.filter { rows[$0].rank == .latest }
    isSorted = isLong
    if isLong {
      positions.sort {
        (rows[$0].transactionID, $0) < (rows[$1].transactionID, $1)
      }
    }
  }

  /// Returns true if a `latest_receipt_info` row has every value of an `in_app` row.
  func cover(_ row: TransactionObservation, in observations: ArraySlice<TransactionObservation>)
    -> Bool
  {
    guard isSorted else {
      return positions.contains { observations[$0].contains(all: row) }
    }
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if observations[positions[middle]].transactionID < row.transactionID {
        low = middle + 1
      } else {
        high = middle
      }
    }
    while low < positions.count, observations[positions[low]].transactionID == row.transactionID {
      if observations[positions[low]].contains(all: row) { return true }
      low += 1
    }
    return false
  }
}

extension TransactionObservation {
  /// Returns true if this row has each value of the other row.
  ///
  /// Values that the other row lacks are not compared.
  func contains(all other: TransactionObservation) -> Bool {
    transactionID == other.transactionID
      && originalTransactionID == other.originalTransactionID && productID == other.productID
      && purchasedAt == other.purchasedAt && quantity == other.quantity
      && repeats(lineItemID, other.lineItemID) && repeats(expiresAt, other.expiresAt)
      && repeats(originalPurchasedAt, other.originalPurchasedAt)
      && repeats(isTrialPeriod, other.isTrialPeriod)
      && repeats(isInIntroOfferPeriod, other.isInIntroOfferPeriod)
      && repeats(isUpgraded, other.isUpgraded) && repeats(cancelledAt, other.cancelledAt)
      && repeats(cancellationReason, other.cancellationReason)
      && repeats(promotionalOfferID, other.promotionalOfferID)
      && repeats(offerCodeRefName, other.offerCodeRefName)
      && repeats(ownership, other.ownership)
      && repeats(subscriptionGroupID, other.subscriptionGroupID)
  }
}

@inline(__always)
private func repeats<Value: Equatable>(_ own: Value?, _ other: Value?) -> Bool {
  other == nil || own == other
}

/// Returns the reject reason of a response with a status other than 0, 21006, 21007 and 21010.
private func rejectReason(ofStatus status: Int64) -> RejectReason {
  switch status {
  case 21000: .status21000
  case 21001: .status21001
  case 21002: .status21002
  case 21003: .status21003
  case 21004: .status21004
  case 21005: .status21005
  case 21008: .status21008
  case 21009: .status21009
  case 21100...21199: .status211xx
  default: .statusUnknown
  }
}

/// Rows of one record that are unusable for the same reason.
struct RowFault {
  var reason: RejectReason
  /// The path to the faulty value in the first row: `in_app[2].quantity`.
  var place: String
  var count = 1
}
