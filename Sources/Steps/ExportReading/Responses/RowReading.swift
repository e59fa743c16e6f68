internal import Diagnostics
internal import PurchaseModel

/// The symbols of the previous row's fields; the next row usually has the same values.
struct RowHints {
  var product: Symbol?
  var group: Symbol?
  var bundle: Symbol?
  var offer: Symbol?
  var offerCode: Symbol?
  var reason: Symbol?
  var ownership: Symbol?
  var renewalProduct: Symbol?
}

extension RecordReader {
  /// Reads `receipt`: a modern receipt with `in_app`, or a flat receipt of iOS 6, which is a row
  /// itself.
  ///
  /// The receipt is an object, or JSON text of the object in a string. Any other string is the
  /// encoded receipt and is ignored. An empty array is PHP's form of an empty object.
  mutating func readReceipt(_ cursor: inout JSONCursor, level: Int) throws(JSONFault) {
    if cursor.byte(at: cursor.position) == Byte.quote {
      let text = try cursor.readString()
      guard text.length > 0, cursor.byte(at: Int(text.start)) == Byte.openBrace else { return }
      try readEmbedded(text, of: cursor, key: "receipt") { reader, inner throws(JSONFault) in
        try reader.readReceipt(&inner, level: level)
        return true
      }
      return
    }
    if try cursor.passesEmptyValue() { return }
    try expect(Byte.openBrace, cursor, key: "receipt")
    draft.hasParts = true
    var bank = FieldBank<ReceiptKey>()
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = receiptTables.receipt.key(name, in: cursor) else {
        try cursor.skipValue(level: level)
        continue
      }
      switch key {
      case .inApp, .namedInApp, .latestReceiptInfo:
        try cursor.note(key, in: &bank, names: receiptTables.receipt)
        try readReceiptList(key, &cursor, level: level)
      default:
        try cursor.readField(key, into: &bank, names: receiptTables.receipt)
      }
    }
    do {
      try copyOrigin(bank, cursor)
      if let bundle = try bundle(bank, cursor) { draft.bundle = bundle }
    } catch let fault {
      throw asJSONFault(fault, names: receiptTables.receipt)
    }
    if bank.isEmpty, !isFirst {
      // The object has keys, but none of Apple's keys.
      draft.unusableRows += 1
      let fault = FieldFault(
        reason: .rowWithoutTransactionID, key: ReceiptKey.transactionID.rawValue)
      noteRowFault(fault, list: "receipt", index: nil, names: receiptTables.row)
    }
    guard isFlat(bank) else { return }
    draft.hasRows = true
    try stageRow(bank, cursor, list: "receipt", index: nil, rank: .inApp)
  }

  /// Returns true if a receipt is a row itself.
  ///
  /// Some programs write the keys of both kinds of receipts. In a modern receipt the keys of a row
  /// are then empty, and in a flat receipt `in_app` is empty.
  private func isFlat(_ bank: FieldBank<ReceiptKey>) -> Bool {
    if let id = bank[.transactionID], id.length > 0 { return true }
    guard !bank.has(.inApp), !bank.has(.namedInApp) else { return false }
    return bank.has(.transactionID) || bank.has(.productID) || bank.has(.lineItemID)
      || bank.has(.quantity)
  }

  /// Reads a list inside a modern receipt: `in_app`, or a misplaced `latest_receipt_info`.
  ///
  /// Apple writes `latest_receipt_info` next to `receipt`, not inside the receipt. The environment
  /// of a misplaced list is unknown, so its rows are left out and the list is recorded as a fault.
  private mutating func readReceiptList(
    _ key: ReceiptKey, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) != UInt8(ascii: "n") else {
      _ = try cursor.readScalar()
      return
    }
    switch key {
    case .inApp:
      try readRows(&cursor, list: "in_app", rank: .inApp, level: level + 1)
    case .namedInApp:
      try readRows(&cursor, list: "inApp", rank: .inApp, level: level + 1)
    default:
      let start = cursor.position
      try cursor.skipValue(level: level)
      if cursor.position > start + 2 {
        draft.unusableRows += 1
        notePartFault(list: "receipt.latest_receipt_info", index: nil)
      }
    }
  }

  /// Adds one row to ``set``, or records why it is unusable.
  mutating func stageRow(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, list: StaticString, index: Int?,
    rank: ObservationRank
  ) throws(JSONFault) {
    do {
      if draft.bundle == nil, bank.has(.bid) { draft.bundle = try bundle(bank, cursor) }
      set.observations.append(try observation(bank, cursor, rank: rank))
    } catch let fault {
      guard fault.reason.isRowOnly else {
        throw asJSONFault(fault, names: receiptTables.row)
      }
      draft.unusableRows += 1
      noteRowFault(fault, list: list, index: index, names: receiptTables.row)
      guard limits.reportsAllFaults else { return }
      for further in rowFaults(bank, cursor) where further != fault {
        noteFurtherFault(further, list: list, index: index, names: receiptTables.row)
      }
    }
  }

  private mutating func observation(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, rank: ObservationRank
  ) throws(FieldFault) -> TransactionObservation {
    guard let transaction = try fields.number(.transactionID, of: bank, in: cursor) else {
      throw FieldFault(reason: .rowWithoutTransactionID, key: ReceiptKey.transactionID.rawValue)
    }
    guard
      let product = try fields.symbol(.productID, of: bank, in: cursor, hint: &hints.product)
    else {
      throw FieldFault(reason: .rowWithoutProductID, key: ReceiptKey.productID.rawValue)
    }
    guard
      let purchasedAt = try fields.time(.purchaseMilliseconds, .purchaseDate, of: bank, in: cursor)
    else {
      throw FieldFault(reason: .rowWithoutPurchaseDate, key: ReceiptKey.purchaseDate.rawValue)
    }
    let original = try fields.number(.originalTransactionID, of: bank, in: cursor)
    var row = TransactionObservation(
      record: Int32(clamping: set.records.count), rank: rank,
      transactionID: TransactionID(transaction),
      originalTransactionID: OriginalTransactionID(original ?? transaction),
      productID: ProductID(product), purchasedAt: purchasedAt)
    row.isTrialPeriod = try fields.flag(.isTrialPeriod, of: bank, in: cursor)
    row.isInIntroOfferPeriod = try fields.flag(.isInIntroOfferPeriod, of: bank, in: cursor)
    row.isUpgraded = try fields.flag(.isUpgraded, of: bank, in: cursor)
    // Some decoders write 0 for a row without a line item.
    row.lineItemID = try fields.number(.lineItemID, of: bank, in: cursor)
      .flatMap { $0.rawValue == 0 ? nil : LineItemID($0) }
    row.originalPurchasedAt = try fields.time(
      .originalPurchaseMilliseconds, .originalPurchaseDate, of: bank, in: cursor)
    row.expiresAt = try fields.time(.expiresMilliseconds, .expiresDate, of: bank, in: cursor)
    row.cancelledAt = try fields.time(
      .cancellationMilliseconds, .cancellationDate, of: bank, in: cursor)
    row.cancellationReason = try fields.symbol(
      .cancellationReason, of: bank, in: cursor, hint: &hints.reason)
    row.promotionalOfferID = try fields.symbol(
      .promotionalOfferID, of: bank, in: cursor, hint: &hints.offer
    ).map(OfferID.init)
    row.offerCodeRefName = try fields.symbol(
      .offerCodeRefName, of: bank, in: cursor, hint: &hints.offerCode
    ).map(OfferID.init)
    row.subscriptionGroupID = try fields.symbol(
      .subscriptionGroupID, of: bank, in: cursor, hint: &hints.group
    ).map(SubscriptionGroupID.init)
    row.ownership = try ownership(bank, cursor)
    row.quantity = try quantity(bank, cursor)
    guard !row.hasImpossiblePeriod else {
      throw FieldFault(reason: .impossiblePeriod, key: ReceiptKey.expiresDate.rawValue)
    }
    return row
  }

  private mutating func ownership(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> OwnershipType? {
    guard let scalar = bank[.ownershipType], scalar.length > 0 else { return nil }
    if scalar.kind == .text {
      if scalar.length == 9, cursor.word(at: Int(scalar.start)) == 0x4553_4148_4352_5550 {
        return .purchased  // PURCHASE, then D
      }
      if scalar.length == 13, cursor.word(at: Int(scalar.start)) == 0x535F_594C_494D_4146 {
        return .familyShared  // FAMILY_S, then HARED
      }
    }
    return try fields.symbol(.ownershipType, of: bank, in: cursor, hint: &hints.ownership)
      .map(OwnershipType.unrecognized)
  }

  private mutating func quantity(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Int32 {
    guard let scalar = bank[.quantity], scalar.length > 0 else { return 1 }
    guard let count = try fields.integer(scalar, in: cursor), (0...1_000_000).contains(count) else {
      throw FieldFault(reason: .rowInvalidQuantity, key: ReceiptKey.quantity.rawValue)
    }
    // Programs written in Go store 0 for an absent value.
    return Int32(clamping: max(1, count))
  }

  /// Counts an unusable row, and records its fault: one entry per reason, with the path of the
  /// first row.
  mutating func noteRowFault<Key>(
    _ fault: FieldFault, list: StaticString, index: Int?, names: KeyTable<Key>
  ) {
    rejectedRows += 1
    noteFurtherFault(fault, list: list, index: index, names: names)
  }

  /// Records another fault of a row that is already unusable.
  mutating func noteFurtherFault<Key>(
    _ fault: FieldFault, list: StaticString, index: Int?, names: KeyTable<Key>
  ) {
    if let known = rowFaults.firstIndex(where: { $0.reason == fault.reason }) {
      rowFaults[known].count += 1
      return
    }
    let key = names.name(ofRawValue: fault.key)
    let row = Self.place(list: list, index: index)
    let place = row.isEmpty ? key : "\(row).\(key)"
    rowFaults.append(RowFault(reason: fault.reason, place: place))
  }

  /// Records a list or list element of an unexpected type as a fault.
  mutating func notePartFault(list: StaticString, index: Int?) {
    rejectedRows += 1
    if let known = rowFaults.firstIndex(where: { $0.reason == .wrongType }) {
      rowFaults[known].count += 1
    } else {
      rowFaults.append(RowFault(reason: .wrongType, place: Self.place(list: list, index: index)))
    }
  }

  private static func place(list: StaticString, index: Int?) -> String {
    list.description + (index.map { "[\($0)]" } ?? "")
  }
}
