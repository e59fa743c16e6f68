internal import Diagnostics
internal import PurchaseModel

extension RecordReader {
  /// Reads `pending_renewal_info`: a list of renewal states, or one in its place; an empty object is
  /// none.
  mutating func readRenewals(_ cursor: inout JSONCursor, level: Int) throws(JSONFault) {
    let list: StaticString = "pending_renewal_info"
    var bank = FieldBank<ReceiptKey>()
    if cursor.byte(at: cursor.position) == Byte.openBrace {
      try cursor.readObject(into: &bank, names: receiptTables.renewal, level: level)
      if !bank.isEmpty { try stageRenewal(bank, cursor, list: list, index: nil) }
      return
    }
    guard try beginsList(&cursor, list: list, level: level) else { return }
    try cursor.enter(level)
    var isFirst = true
    var index = 0
    while try cursor.nextElement(isFirst: &isFirst) {
      if try beginsElement(&cursor, list: list, index: index, level: level) {
        try cursor.readObject(into: &bank, names: receiptTables.renewal, level: level + 1)
        try stageRenewal(bank, cursor, list: list, index: index)
      }
      index += 1
    }
  }

  /// Stages one renewal state, or notes why it is left out.
  private mutating func stageRenewal(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, list: StaticString, index: Int?
  ) throws(JSONFault) {
    do {
      set.renewals.append(try renewal(bank, cursor))
    } catch let fault {
      guard fault.reason.isRowOnly else {
        throw asJSONFault(fault, names: receiptTables.renewal)
      }
      noteRowFault(fault, list: list, index: index, names: receiptTables.renewal)
    }
  }

  private mutating func renewal(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> RenewalSighting {
    guard let chain = try fields.number(.originalTransactionID, of: bank, in: cursor) else {
      throw FieldFault(
        reason: .rowWithoutTransactionID, key: ReceiptKey.originalTransactionID.rawValue)
    }
    var entry = RenewalSighting(
      record: Int32(clamping: set.records.count),
      originalTransactionID: OriginalTransactionID(chain))
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

  /// Stages the renewal state that the top level of a response tells of its only chain.
  ///
  /// iOS 6 responses and version 1 notifications before 2020 have no `pending_renewal_info`.
  mutating func stageTopLevelRenewal(since start: StagingMark) {
    guard let status = draft.renewal.status, set.renewals.count == start.renewals,
      let chain = draft.renewal.chain ?? onlyChain(since: start)
    else { return }
    var entry = RenewalSighting(
      record: Int32(clamping: set.records.count), originalTransactionID: chain)
    entry.autoRenewStatus = status
    entry.autoRenewProductID = draft.renewal.productID
    entry.expirationIntent = draft.renewal.expirationIntent
    entry.isInBillingRetry = draft.renewal.isInBillingRetry
    set.renewals.append(entry)
  }

  private func onlyChain(since start: StagingMark) -> OriginalTransactionID? {
    let rows = set.sightings[start.sightings...]
    guard let chain = rows.first?.originalTransactionID,
      rows.allSatisfy({ $0.originalTransactionID == chain })
    else { return nil }
    return chain
  }
}
