internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Reads the rows of a hosted service's export.
extension RecordReader {
  /// Adds a row with the given values.
  ///
  /// A row becomes an observation of its transaction, a renewal state of its chain, and a charge
  /// if the service took the amount from the phone.
  mutating func stageService(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(JSONFault) {
    guard let export else {
      preconditionFailure("the pipeline entry must have a format")
    }
    var bank = bank
    bank.dropAbsent(in: cursor)
    do throws(FieldFault) {
      try stageServiceRow(bank, cursor, export)
    } catch {
      let field = error.key.flatMap(ServiceField.init(rawValue:))
      let path = field.map(export.pathText) ?? ""
      let isID = field == .transaction || field == .original
      throw JSONFault(
        reason: error.reason, offset: 0,
        key: isID && error.reason == .wrongType
          ? "\(path), a rounded number: a spreadsheet saved the file; use the service's own file"
          : path)
    }
  }

  private mutating func stageServiceRow(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor, _ export: ServiceExport
  ) throws(FieldFault) {
    if let store = bank[.store], store.length > 0, !cursor.isOfApple(store) {
      return noteOtherStore(cursor.platformText(store))
    }
    if bank[.store].map({ $0.length == 0 }) ?? true, let id = bank[.transaction],
      let store = cursor.storeOfForeignID(id)
    {
      return noteOtherStore(store)
    }
    let event = try event(bank, cursor, export)
    guard event != nil || export.describesWholeRows else {
      notices.otherEvents += 1
      if notices.firstOtherEvent.isEmpty, let scalar = bank[.event], scalar.length > 0 {
        notices.firstOtherEvent = cursor.eventText(scalar)
      }
      return
    }
    let row = try serviceRow(bank, cursor, export, event)
    var record = ReceiptRecord(
      source: SourceLine(file: 0, line: Int32(clamping: line)), ordinal: 0,
      snapshotAt: row.snapshotAt,
      customer: try fields.symbol(.customer, of: bank, in: cursor).map(CustomerID.init),
      storefront: try servicePlace(bank, cursor),
      bundle: try fields.symbol(.bundle, of: bank, in: cursor, hint: &hints.bundle)
        .map(BundleID.init),
      isSandbox: row.isSandbox)
    let first = set.records.count
    if event == nil || event == .purchase || event == .refund || export.describesWholeRows {
      var observation = row.observation
      observation.record = Int32(first)
      set.observations.append(observation)
      set.records.append(record)
      stageCharge(row, record)
    }
    for state in row.states {
      if set.records.count == first || set.records[set.records.count - 1].snapshotAt != state.at {
        record.snapshotAt = state.at
        // The storefront is that of the purchase, which its own record states.
        record.storefront = nil
        record.indexInResponse = Int32(set.records.count - first)
        set.records.append(record)
      }
      var renewal = state.renewal
      renewal.record = Int32(set.records.count - 1)
      set.renewals.append(renewal)
    }
  }

  private mutating func noteOtherStore(_ store: String) {
    notices.otherStoreRows += 1
    if notices.firstOtherStore.isEmpty { notices.firstOtherStore = store }
  }

  /// The meaning of the record's event; `nil` for an event that says nothing about a transaction.
  private mutating func event(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor, _ export: ServiceExport
  ) throws(FieldFault) -> ServiceEvent? {
    guard let scalar = bank[.event], scalar.length > 0 else { return nil }
    let name = try fields.withText(scalar, in: cursor) { text in
      var name = ""
      for index in 0..<text.count { name.unicodeScalars.append(Unicode.Scalar(text[index])) }
      return name
    }
    let meaning = export.events[name]
    // Superwall's refunds are events with a negative price, whatever their name.
    if let price = bank[.price], price.length > 0,
      cursor.byte(at: Int(price.start)) == UInt8(ascii: "-"), !export.describesWholeRows
    {
      return .refund
    }
    // Support has refunded the purchase; the customer has not switched renewal off.
    if meaning == .renewalOff, let reason = bank[.cancelReason],
      cursor.isText(reason, "CUSTOMER_SUPPORT")
    {
      return .refund
    }
    return meaning
  }

  /// The storefront of the row; `nil` if the service states only where an IP address is.
  ///
  /// RevenueCat writes `from_sdk` where the storefront is known, else `estimated` or `last_seen`.
  private mutating func servicePlace(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Storefront? {
    if let source = bank[.storefrontSource], source.length > 0, !cursor.isText(source, "from_sdk") {
      return nil
    }
    return try storefront(bank[.storefront], cursor)
  }

  /// Adds the amount of a first purchase as a charge.
  ///
  /// Renewals are the service's inference, so they are no evidence.
  private mutating func stageCharge(_ row: ServiceRow, _ record: ReceiptRecord) {
    let observation = row.observation
    guard let terms = observation.service, terms.isFirst, terms.isDated,
      let charged = terms.charged, charged.amount > .zero, !row.isSandbox,
      observation.isTrialPeriod != true, observation.ownership != .familyShared
    else { return }
    var report = PriceReport(
      evidenceID: 0, source: record.source, customer: record.customer,
      transactionID: observation.transactionID, productID: observation.productID,
      storefront: record.storefront, currency: charged.currency,
      reportedAt: observation.purchasedAt, price: charged.amount, meaning: .charged,
      sender: .service, isTrusted: mapping.isTrusted, appliedDiscount: nil,
      offers: set.offers.count..<set.offers.count)
    let (id, check) = evidence.identity(of: report, offers: [], symbols: fields.symbols)
    guard knownReports.insert(id, check: check) else { return }
    report.evidenceID = id
    set.reports.append(report)
  }
}

/// The prefixes of other stores' transaction ids.
private let foreignIDs: [(prefix: StaticString, store: String)] = [
  ("GPA.", "play_store"), ("amzn1.", "amazon"), ("in_", "stripe"), ("sub_", "stripe"),
  ("pi_", "stripe"), ("cs_", "stripe"),
]

extension JSONCursor {
  /// The store whose transaction ids have the form of an id; `nil` if no other store's have it.
  ///
  /// Example: `GPA.3372-4150-8523-17` → `play_store`.
  fileprivate func storeOfForeignID(_ id: Scalar) -> String? {
    foreignIDs.first { prefix, _ in
      Int(id.length) > prefix.utf8CodeUnitCount
        && (0..<prefix.utf8CodeUnitCount).allSatisfy {
          unsafe byte(at: Int(id.start) + $0) == prefix.utf8Start[$0]
        }
    }?.1
  }
}

extension ServiceExport {
  /// Whether every row describes a whole transaction, whatever its event.
  var describesWholeRows: Bool { !events.values.contains(.purchase) }

  /// The names of the events that are purchases, sorted; empty if every row is one.
  public var purchaseEvents: [String] {
    events.filter { $0.value == .purchase }.map(\.key).sorted()
  }

  /// The path to the name of a record's event, for messages.
  public var eventPath: String { pathText(of: .event) }

  /// The paths of a field as text, for messages.
  func pathText(of field: ServiceField) -> String {
    let paths = keys.first { $0.field == field }?.paths.map(\.text) ?? []
    return paths.isEmpty ? field.name : paths.joined(separator: ", ")
  }
}
