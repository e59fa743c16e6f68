internal import Diagnostics
internal import PurchaseModel

/// A list in a response: its name, the keys of its entries, and their kind.
struct EntryList {
  /// The kind of the entries in a list: rows or renewal states.
  enum Kind {
    case row(ObservationRank)
    case renewal
  }

  let name: StaticString
  let keys: KeyTable<ReceiptKey>
  let kind: Kind
}

/// Reads the lists of a response, in all forms that programs write.
extension RecordReader {
  /// Reads a list whose name differs from Apple's: `latestReceiptInfo` for `latest_receipt_info`.
  ///
  /// Programs that forward Apple's response use these names. The name does not prove that the
  /// object is a response, so ``ResponseDraft/hasRows`` does not change.
  mutating func readNamed(
    _ key: ReceiptKey, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    let hadRows = draft.hasRows
    switch key {
    case .namedLatestReceiptInfo:
      try readRows(&cursor, list: "latestReceiptInfo", rank: .latest, level: level)
    case .namedLatestExpiredReceiptInfo:
      try readRows(&cursor, list: "latestExpiredReceiptInfo", rank: .latest, level: level)
    default:
      try readRenewals(&cursor, list: "pendingRenewalInfo", level: level)
    }
    draft.hasRows = hadRows
  }

  /// Reads a list of rows, in all forms that ``readEntries(_:of:level:)`` accepts.
  mutating func readRows(
    _ cursor: inout JSONCursor, list: StaticString, rank: ObservationRank, level: Int
  ) throws(JSONFault) {
    draft.hasRows = true
    let rows = EntryList(name: list, keys: receiptTables.row, kind: .row(rank))
    try readEntries(&cursor, of: rows, level: level)
  }

  /// Reads the entries of a list: a JSON array, or another form that programs write.
  ///
  /// The value under the list's key has one of these forms:
  ///
  /// 1. A list.
  /// 2. A single entry.
  /// 3. An object with entries under arbitrary keys, which is PHP's form of a list with gaps. An
  ///    empty object has no entry.
  /// 4. JSON text of any of these values, in a string.
  ///
  /// Any other value is skipped and recorded as a fault.
  mutating func readEntries(
    _ cursor: inout JSONCursor, of list: EntryList, level: Int
  ) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) != Byte.quote else {
      return try readEntries(inTextAt: &cursor, of: list, level: level)
    }
    var bank = FieldBank<ReceiptKey>()
    let isObject = cursor.byte(at: cursor.position) == Byte.openBrace
    if isObject {
      let start = cursor
      try cursor.readObject(into: &bank, names: list.keys, level: level)
      guard bank.isEmpty else { return try stage(bank, cursor, of: list, index: nil) }
      cursor = start
    } else {
      guard try beginsList(&cursor, of: list, level: level) else { return }
    }
    try cursor.enter(level)
    var isFirst = true
    var index = 0
    while try isObject
      ? cursor.nextKey(isFirst: &isFirst) != nil : cursor.nextElement(isFirst: &isFirst)
    {
      if try beginsElement(&cursor, of: list, index: index, level: level) {
        try cursor.readObject(into: &bank, names: list.keys, level: level + 1)
        try stage(bank, cursor, of: list, index: index)
      }
      index += 1
    }
  }

  /// Adds one entry of a list to ``set``, or records why it is unusable.
  mutating func stage(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, of list: EntryList, index: Int?
  ) throws(JSONFault) {
    switch list.kind {
    case .row(let rank): try stageRow(bank, cursor, list: list.name, index: index, rank: rank)
    case .renewal: try stageRenewal(bank, cursor, list: list.name, index: index)
    }
  }

  /// Returns true if the value is a list; skips any other value and records a fault.
  ///
  /// The rest of the response is used in both cases.
  private mutating func beginsList(_ cursor: inout JSONCursor, of list: EntryList, level: Int)
    throws(JSONFault) -> Bool
  {
    guard cursor.byte(at: cursor.position) != Byte.openBracket else { return true }
    try cursor.skipValue(level: level)
    notePartFault(of: list, index: nil)
    return false
  }

  /// Returns true if a list element is an object; skips any other element and records a fault.
  private mutating func beginsElement(
    _ cursor: inout JSONCursor, of list: EntryList, index: Int, level: Int
  ) throws(JSONFault) -> Bool {
    guard cursor.byte(at: cursor.position) != Byte.openBrace else { return true }
    try cursor.skipValue(level: level)
    notePartFault(of: list, index: index)
    return false
  }

  /// Records that a list, or one of its elements, has an unexpected type.
  ///
  /// `index` is the position of the element; `nil` for the list itself.
  mutating func notePartFault(of list: EntryList, index: Int?) {
    switch list.kind {
    case .row: draft.unusableRows += 1
    case .renewal: break
    }
    notePartFault(list: list.name, index: index)
  }
}
