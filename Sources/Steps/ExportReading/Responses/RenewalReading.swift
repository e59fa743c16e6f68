internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Reads a list of renewal states, in any form that ``readEntries(_:of:level:)`` accepts.
  mutating func readRenewals(
    _ cursor: inout JSONCursor, list: StaticString, level: Int
  ) throws(JSONFault) {
    let renewals = EntryList(name: list, keys: receiptTables.renewal, kind: .renewal)
    try readEntries(&cursor, of: renewals, level: level)
  }

  /// Adds one renewal state to ``set``, or records why it is unusable.
  ///
  /// A state without a chain id is kept for ``stageUnnamedRenewals(since:)``.
  mutating func stageRenewal(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, list: StaticString, index: Int?
  ) throws(JSONFault) {
    do {
      let state = try renewal(bank, cursor)
      if state.originalTransactionID == Self.unnamedChain {
        draft.unnamedRenewals.append(UnnamedRenewal(state: state, list: list, index: index))
      } else {
        set.renewals.append(state)
      }
    } catch let fault {
      guard fault.reason.isRowOnly else {
        throw asJSONFault(fault, names: receiptTables.renewal)
      }
      noteRowFault(fault, list: list, index: index, names: receiptTables.renewal)
    }
  }

  private mutating func renewal(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> RenewalObservation {
    let chain = try fields.number(.originalTransactionID, of: bank, in: cursor)
    var entry = RenewalObservation(
      record: Int32(clamping: set.records.count),
      originalTransactionID: chain.map(OriginalTransactionID.init) ?? Self.unnamedChain)
    entry.productID = try fields.symbol(
      .productID, of: bank, in: cursor, hint: &hints.renewalProduct
    ).map(ProductID.init)
    entry.autoRenewProductID = try fields.symbol(
      .autoRenewProductID, of: bank, in: cursor, hint: &hints.renewalProduct
    ).map(ProductID.init)
    entry.autoRenewStatus = try fields.flag(.autoRenewStatus, of: bank, in: cursor)
    entry.isInBillingRetry = try fields.flag(.isInBillingRetry, of: bank, in: cursor)
    entry.expirationIntent = try fields.symbol(.expirationIntent, of: bank, in: cursor)
    entry.gracePeriodExpiresAt = try fields.time(
      .gracePeriodMilliseconds, .gracePeriodDate, of: bank, in: cursor)
    entry.priceConsentStatus = try fields.symbol(.priceConsentStatus, of: bank, in: cursor)
    entry.priceIncreaseStatus = try fields.symbol(.priceIncreaseStatus, of: bank, in: cursor)
    return entry
  }

  /// The id that stands for a missing chain id of a renewal state; Apple never uses this id.
  private static let unnamedChain = OriginalTransactionID(AppleNumber(rawValue: 0))

  /// Adds the renewal states without a chain id to ``set``.
  ///
  /// Apple left out the id in the summer of 2017.
  ///
  /// If the response has exactly one chain of the state's product, the state belongs to this chain.
  /// Otherwise the state is recorded as a fault.
  mutating func stageUnnamedRenewals(since start: StagingMark) {
    let rows = set.observations[start.observations...]
    for renewal in draft.unnamedRenewals {
      var state = renewal.state
      let products = [state.productID, state.autoRenewProductID].compactMap(\.self)
      let chains = products.lazy.map { product in
        Set(rows.lazy.filter { $0.productID == product }.map(\.originalTransactionID))
      }
      guard let chain = chains.first(where: { !$0.isEmpty }), chain.count == 1,
        let only = chain.first
      else {
        let fault = FieldFault(
          reason: .rowWithoutTransactionID, key: ReceiptKey.originalTransactionID.rawValue)
        noteRowFault(fault, list: renewal.list, index: renewal.index, names: receiptTables.renewal)
        continue
      }
      state.originalTransactionID = only
      set.renewals.append(state)
    }
  }

  /// Adds the renewal state at the top level of a response to ``set``.
  ///
  /// Does nothing if ``set`` already contains a renewal state from a list in the response.
  ///
  /// The state belongs to the chain whose id it contains, else to the response's only chain. If
  /// there are several chains, the state is ignored. iOS 6 responses and version 1 notifications
  /// before 2020 have no `pending_renewal_info`.
  mutating func stageTopLevelRenewal(since start: StagingMark) {
    guard let status = draft.renewal.status, set.renewals.count == start.renewals,
      let chain = draft.renewal.chain ?? onlyChain(since: start)
    else { return }
    var entry = RenewalObservation(
      record: Int32(clamping: set.records.count), originalTransactionID: chain)
    entry.autoRenewStatus = status
    entry.autoRenewProductID = draft.renewal.productID
    entry.expirationIntent = draft.renewal.expirationIntent
    entry.isInBillingRetry = draft.renewal.isInBillingRetry
    set.renewals.append(entry)
  }

  private func onlyChain(since start: StagingMark) -> OriginalTransactionID? {
    let rows = set.observations[start.observations...]
    guard let chain = rows.first?.originalTransactionID,
      rows.allSatisfy({ $0.originalTransactionID == chain })
    else { return nil }
    return chain
  }
}
