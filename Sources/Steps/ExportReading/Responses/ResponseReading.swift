internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The kind of object that is being read: a record, or a response inside it.
enum ResponseDepth {
  case record
  case response
  case unifiedReceipt
}

extension RecordReader {
  /// Reads a receipt record and adds its content to ``set``; throws if the record is unusable.
  mutating func readReceiptRecord(_ cursor: inout JSONCursor) throws(JSONFault) {
    draft = ResponseDraft()
    let start = StagingMark(set: set)
    var bank = FieldBank<ReceiptKey>()
    let text = cursor
    try readResponse(&cursor, bank: &bank, depth: .record, level: 1)
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
    if !draft.hasInnerResponse { try readBareRow(text, under: "", level: 1) }
    try stage(bank, cursor, since: start)
    if set.observations.count == start.observations, hasMisplacedRows(text) {
      draft.hasMisplacedRows = true
      throw JSONFault(reason: .noUsableRow, offset: 0)
    }
  }

  /// Completes a record whose rows are already in ``set``; throws if the record is unusable.
  mutating func stage(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, since start: StagingMark
  ) throws(JSONFault) {
    do {
      try stageRecord(bank, cursor, since: start)
    } catch let fault {
      throw asJSONFault(fault, names: receiptTables.record)
    }
    guard draft.unusableRows == 0 || set.observations.count > start.observations else {
      throw JSONFault(reason: .noUsableRow, offset: 0)
    }
  }

  mutating func readResponse(
    _ cursor: inout JSONCursor, bank: inout FieldBank<ReceiptKey>, depth: ResponseDepth, level: Int
  ) throws(JSONFault) {
    try cursor.enter(level)
    var isFirst = true
    var hasForeignParts = false
    let table = depth == .record ? receiptTables.record : receiptTables.response
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = table.key(name, in: cursor) else {
        if try cursor.skipForeignValue(level: level) { hasForeignParts = true }
        continue
      }
      switch key {
      case .hasSandboxFlag:
        let isQuoted = cursor.byte(at: cursor.position) == Byte.quote
        if isYes(cursor.byte(at: cursor.position + (isQuoted ? 1 : 0))) {
          draft.hasSandboxFlag = true
        }
        try cursor.skipValue(level: level)
      case .receipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .pendingRenewalInfo,
        .unifiedReceipt, .response, .priceReport, .namedLatestReceiptInfo,
        .namedLatestExpiredReceiptInfo, .namedPendingRenewalInfo, .namedUnifiedReceipt, .inApp,
        .namedInApp:
        try cursor.note(key, in: &bank, names: table)
        try readPart(key, &cursor, bank: &bank, depth: depth, level: level)
      default:
        try cursor.readField(key, into: &bank, names: table)
      }
    }
    if hasForeignParts || bank.has(.productID), depth != .record || !draft.hasInnerResponse {
      draft.hasForeignParts = true
    }
    do {
      try copyScalars(bank, cursor, depth: depth)
    } catch let fault {
      throw asJSONFault(fault, names: table)
    }
  }

  /// Reads a member of a response whose value is an object or array.
  mutating func readPart(
    _ key: ReceiptKey, _ cursor: inout JSONCursor, bank: inout FieldBank<ReceiptKey>,
    depth: ResponseDepth, level: Int
  ) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) != UInt8(ascii: "n") else {
      _ = try cursor.readScalar()
      return
    }
    if key != .receipt, key != .response, key != .priceReport { draft.hasParts = true }
    switch key {
    case .receipt:
      try readReceipt(&cursor, level: level + 1)
    case .latestReceiptInfo:
      try readRows(&cursor, list: "latest_receipt_info", rank: .latest, level: level + 1)
    case .inApp:
      try readRows(&cursor, list: "in_app", rank: .inApp, level: level + 1)
    case .namedInApp:
      try readRows(&cursor, list: "inApp", rank: .inApp, level: level + 1)
    case .latestExpiredReceiptInfo:
      try readRows(&cursor, list: "latest_expired_receipt_info", rank: .latest, level: level + 1)
    case .pendingRenewalInfo:
      try readRenewals(&cursor, list: "pending_renewal_info", level: level + 1)
    case .namedLatestReceiptInfo, .namedLatestExpiredReceiptInfo, .namedPendingRenewalInfo:
      try readNamed(key, &cursor, level: level + 1)
    case .unifiedReceipt where depth != .unifiedReceipt,
      .namedUnifiedReceipt where depth != .unifiedReceipt:
      try readResponse(
        under: "unified_receipt", depth: .unifiedReceipt, &cursor, level: level + 1)
    case .response:
      draft.hasInnerResponse = true
      try readResponse(under: "response", depth: .response, &cursor, level: level + 1)
    case .priceReport:
      let start = cursor.position
      try cursor.skipValue(level: level)
      bank.store(
        Scalar(
          kind: .text, start: Int32(truncatingIfNeeded: start),
          length: Int32(truncatingIfNeeded: cursor.position - start)), for: .priceReport)
    default:
      try cursor.skipValue(level: level)
    }
  }

  /// Copies the scalars of a response to the draft, unless an inner object has already set them.
  mutating func copyScalars(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, depth: ResponseDepth
  ) throws(FieldFault) {
    let isAroundResponse = depth == .record && draft.hasInnerResponse
    if let scalar = bank[.status], !draft.hasStatus, !isAroundResponse {
      draft.status = try status(scalar, cursor)
      draft.hasStatus = draft.status != nil
    }
    try copyOrigin(bank, cursor)
    if draft.bundle == nil {
      draft.bundle = try bundle(bank, cursor)
    }
    guard bank.has(.autoRenewStatus), draft.renewal.status == nil, !isAroundResponse else { return }
    if let scalar = bank[.autoRenewChangeMilliseconds] {
      draft.renewalChangedAt = try fields.instant(milliseconds: scalar, in: cursor)
    } else if let scalar = bank[.autoRenewChangeDate] {
      draft.renewalChangedAt = try fields.instant(text: scalar, in: cursor)
    }
    do throws(FieldFault) {
      draft.renewal.status = try fields.flag(.autoRenewStatus, of: bank, in: cursor)
      draft.renewal.isInBillingRetry = try fields.flag(.isInBillingRetry, of: bank, in: cursor)
    } catch let fault {
      guard fault.reason.isRowOnly else { throw fault }
      noteRowFault(fault, list: "", index: nil, names: receiptTables.response)
      return
    }
    draft.renewal.productID = try fields.symbol(.autoRenewProductID, of: bank, in: cursor)
      .map(ProductID.init)
    draft.renewal.expirationIntent = try fields.symbol(.expirationIntent, of: bank, in: cursor)
    draft.renewal.chain = try fields.number(.originalTransactionID, of: bank, in: cursor)
      .map(OriginalTransactionID.init)
  }

  /// Reads the status of a response; version 1 notifications of 2019 write `OK` for 0.
  ///
  /// Other programs write `OK` too, so `OK` is ignored in a record without rows.
  private mutating func status(
    _ scalar: Scalar, _ cursor: JSONCursor
  ) throws(FieldFault) -> Int64? {
    if let status = try fields.integer(scalar, in: cursor) { return status }
    let isGood = try fields.withText(scalar, in: cursor) { text in
      text.count == 2 && PackedWord.matches(text, at: 0, lowercase: "ok")
    }
    guard scalar.kind == .text, isGood else {
      throw FieldFault(reason: .wrongType, key: ReceiptKey.status.rawValue)
    }
    return draft.hasRows ? 0 : nil
  }

  /// Copies environment and snapshot time to the draft, unless an inner object has already set
  /// them.
  ///
  /// An unreadable time is treated as absent. Then the time of an outer object is used, or else the
  /// time at which the record was received.
  mutating func copyOrigin(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) {
    if draft.isSandbox == nil, let scalar = bank[.environment], scalar.length > 0 {
      draft.isSandbox = try fields.withText(scalar, in: cursor) { !beginsWithProd($0) }
    }
    if draft.isSandboxType == nil, let scalar = bank[.receiptType], scalar.length > 0 {
      draft.isSandboxType = try fields.withText(scalar, in: cursor, containsSandbox)
    }
    guard draft.requestedAt == nil else { return }
    if let scalar = bank[.requestMilliseconds] {
      draft.requestedAt = try fields.instant(milliseconds: scalar, in: cursor)
    }
    if draft.requestedAt == nil, let scalar = bank[.requestDate] {
      draft.requestedAt = try fields.instant(text: scalar, in: cursor)
    }
  }

  /// Copies what the columns or fields around a response say of the store to the draft, unless the
  /// response says it.
  ///
  /// An owner's own words for an environment that mean neither store are ignored.
  mutating func copyStore(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) {
    if let scalar = bank[.hasSandboxFlag],
      scalar.kind == .yes || scalar.length > 0 && isYes(cursor.byte(at: Int(scalar.start)))
    {
      draft.hasSandboxFlag = true
    }
    guard draft.isSandbox == nil, let scalar = bank[.environment], scalar.length > 0 else { return }
    draft.isSandbox = try fields.withText(scalar, in: cursor) { text in
      if beginsWithProd(text) { return false }
      let isTest =
        containsSandbox(text) || PackedWord.matches(text, at: 0, lowercase: "test")
        || PackedWord.matches(text, at: 0, lowercase: "xcode")
      return isTest ? true : nil
    }
  }

  /// Reads the bundle id of a receipt or notification.
  mutating func bundle(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> BundleID? {
    if let id = try fields.symbol(.bundleID, of: bank, in: cursor, hint: &hints.bundle) {
      return BundleID(id)
    }
    return try fields.symbol(.bid, of: bank, in: cursor, hint: &hints.bundle).map(BundleID.init)
  }

  /// Throws if the value at the cursor does not begin with the given byte, such as `{`.
  func expect(_ byte: UInt8, _ cursor: JSONCursor, key: String) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) == byte else {
      var cursor = cursor
      let start = cursor.position
      try cursor.skipValue(level: 0)
      throw JSONFault(reason: .wrongType, offset: start, key: key)
    }
  }

  /// Converts a field's fault to a fault that rejects the whole record.
  func asJSONFault<Key>(_ fault: FieldFault, names: KeyTable<Key>) -> JSONFault {
    JSONFault(reason: fault.reason, offset: 0, key: names.name(ofRawValue: fault.key))
  }
}

/// Whether an environment is production: `Production`, or `PROD` in notifications.
///
/// All other environments are treated as sandboxes.
/// Whether a flag that begins with a byte is set: `true`, `1`, `t`, `yes`.
private func isYes(_ first: UInt8) -> Bool {
  switch first {
  case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "1"), UInt8(ascii: "y"),
    UInt8(ascii: "Y"):
    true
  default: false
  }
}

private func beginsWithProd(_ text: Span<UInt8>) -> Bool {
  guard text.count >= 4 else { return false }
  return PackedWord.matches(text, at: 0, lowercase: "prod")
}

private func containsSandbox(_ text: Span<UInt8>) -> Bool {
  guard text.count >= 7 else { return false }
  return (0...(text.count - 7)).contains { PackedWord.matches(text, at: $0, lowercase: "sandbox") }
}

/// Compares a few ASCII letters of either case.
enum PackedWord {
  static func matches(_ text: Span<UInt8>, at offset: Int, lowercase word: StaticString) -> Bool {
    guard text.count - offset >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount {
      guard unsafe text[offset + index] | 0x20 == word.utf8Start[index] else { return false }
    }
    return true
  }
}
