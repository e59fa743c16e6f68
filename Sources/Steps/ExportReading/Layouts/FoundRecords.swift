internal import Diagnostics
internal import PurchaseModel

/// Reads records by the values that a ``RecordFinder`` has found in them.
extension RecordReader {
  /// The keys of the fields of a receipt record, in the order of ``FieldMapping/receiptKeys``.
  private static let receiptKeys: [ReceiptKey] = [
    .customerID, .response, .receivedAt, .storefront, .priceReport, .environment, .hasSandboxFlag,
  ]

  /// Reads the current record by its found values, if there are any.
  mutating func readFound(in record: JSONCursor) throws(JSONFault) {
    let isResponse = isContentItself
    guard let found = finder.take() else { preconditionFailure("the values must be found before") }
    defer { finder = found }
    try found.text.read { text throws(JSONFault) in
      if kind == .exports {
        try readServiceRow(found, text)
      } else {
        try readReceipt(found, text, isResponse ? record : nil)
      }
    }
  }

  /// Reads a receipt record; `whole` is the record if it is the response itself.
  private mutating func readReceipt(
    _ found: RecordFinder, _ text: JSONCursor, _ whole: JSONCursor?
  ) throws(JSONFault) {
    draft = ResponseDraft()
    let start = StagingMark(set: set)
    var bank = FieldBank<ReceiptKey>()
    var response: RecordFinder.Value?
    for (field, key) in Self.receiptKeys.enumerated() {
      guard let value = found.values[field] else { continue }
      _ = bank.note(key)
      let name = found.layout.names[field]
      switch key {
      case .response:
        response = value
        draft.hasInnerResponse = true
        try value.read(in: text, name) { cursor throws(JSONFault) in
          if value.isText {
            try readResponse(
              inText: value.scalar, of: cursor, under: name, depth: .response, level: 2)
          } else {
            try readResponse(under: name, depth: .response, &cursor, level: 2)
          }
        }
      case .priceReport:
        bank.store(value.scalar, for: key)
        try value.read(in: text, name) { cursor throws(JSONFault) in
          if !value.isText { try cursor.skipValue(level: 1) }
        }
      case .environment, .hasSandboxFlag:
        // An object with such a name is an owner's own.
        if let scalar = try? value.scalar(in: text, name) { bank.store(scalar, for: key) }
      default: bank.store(try value.scalar(in: text, name), for: key)
      }
    }
    if let whole {
      try readResponseItself(whole)
    } else {
      try readParts(of: found, text, beside: response, since: start)
    }
    do {
      try copyStore(bank, text)
    } catch let fault {
      throw asJSONFault(fault, names: receiptTables.record)
    }
    try stage(bank, text, since: start)
    if set.observations.count == start.observations,
      response.map({ hasMisplacedRows(text, in: $0) }) ?? whole.map({ hasMisplacedRows($0) })
        ?? false
    {
      draft.hasMisplacedRows = true
      throw JSONFault(reason: .noUsableRow, offset: 0)
    }
  }

  private mutating func readServiceRow(
    _ found: RecordFinder, _ text: JSONCursor
  ) throws(JSONFault) {
    var bank = FieldBank<ServiceField>()
    for index in found.values.indices {
      guard let value = found.values[index], let field = ServiceField(rawValue: UInt8(index))
      else { continue }
      _ = bank.note(field)
      bank.store(try value.scalar(in: text, found.layout.names[index]), for: field)
    }
    try stageService(bank, text)
  }
}

extension RecordFinder.Value {
  /// Reads the value as a scalar; `name` is its standard name, for messages.
  func scalar(in text: JSONCursor, _ name: String) throws(JSONFault) -> Scalar {
    guard !isText else { return scalar }
    var found: Scalar?
    try read(in: text, name) { cursor throws(JSONFault) in
      let first = cursor.byte(at: cursor.position)
      let isObject = first == Byte.openBrace || first == Byte.openBracket
      found = isObject ? try cursor.readTypedScalar() : try cursor.readScalar()
      if found == nil {
        throw JSONFault(reason: .wrongType, offset: cursor.position, key: name)
      }
    }
    return found ?? .absent
  }

  /// Passes a cursor at the value's first byte to `body`, which must read the whole value.
  ///
  /// A fault names its byte in the record, or in the cell.
  func read(
    in text: JSONCursor, _ name: String, _ body: (inout JSONCursor) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    var cursor = text
    cursor.position = range.lowerBound
    do throws(JSONFault) {
      try body(&cursor)
      guard !isText else { return }
      cursor.skipBlanks()
      guard cursor.position == range.upperBound else { throw cursor.invalid() }
    } catch {
      var fault = error
      if !fault.isInString {
        fault.isCutOff = fault.reason == .invalidJSON && fault.offset == range.upperBound
        fault.offset += origin - range.lowerBound
      }
      if fault.key.isEmpty { fault.key = name }
      throw fault
    }
  }
}
