internal import Diagnostics
internal import PurchaseModel

/// A list of a response.
struct EntryList {
  /// What its entries are.
  enum Kind {
    case row(SightingRank)
    case renewal
  }

  let name: StaticString
  let keys: KeyTable<ReceiptKey>
  let kind: Kind
}

/// The lists of a response, whatever shape they were given on their way.
extension RecordReader {
  /// Reads a list of rows, or what stands in its place; see ``readEntries(_:of:level:)``.
  mutating func readRows(
    _ cursor: inout JSONCursor, list: StaticString, rank: SightingRank, level: Int
  ) throws(JSONFault) {
    draft.hasRows = true
    let rows = EntryList(name: list, keys: receiptTables.row, kind: .row(rank))
    try readEntries(&cursor, of: rows, level: level)
  }

  /// Reads the entries of a list, or what stands in its place.
  ///
  /// That is one entry, or an object that holds entries under keys of its own, as PHP writes a list
  /// with gaps. An empty object holds none.
  mutating func readEntries(
    _ cursor: inout JSONCursor, of list: EntryList, level: Int
  ) throws(JSONFault) {
    var bank = FieldBank<ReceiptKey>()
    let isObject = cursor.byte(at: cursor.position) == Byte.openBrace
    if isObject {
      let start = cursor
      try cursor.readObject(into: &bank, names: list.keys, level: level)
      guard bank.isEmpty else { return try stage(bank, cursor, of: list, index: nil) }
      cursor = start
    } else {
      guard try beginsList(&cursor, list: list.name, level: level) else { return }
    }
    try cursor.enter(level)
    var isFirst = true
    var index = 0
    while try isObject
      ? cursor.nextKey(isFirst: &isFirst) != nil : cursor.nextElement(isFirst: &isFirst)
    {
      if try beginsElement(&cursor, list: list.name, index: index, level: level) {
        try cursor.readObject(into: &bank, names: list.keys, level: level + 1)
        try stage(bank, cursor, of: list, index: index)
      }
      index += 1
    }
  }

  /// Stages one entry, or notes why it is left out.
  private mutating func stage(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor, of list: EntryList, index: Int?
  ) throws(JSONFault) {
    switch list.kind {
    case .row(let rank): try stageRow(bank, cursor, list: list.name, index: index, rank: rank)
    case .renewal: try stageRenewal(bank, cursor, list: list.name, index: index)
    }
  }

  /// Whether a list stands here.
  ///
  /// What stands in its place is passed over and noted, so that the rest of the response is used;
  /// an empty text says that there is nothing.
  mutating func beginsList(_ cursor: inout JSONCursor, list: StaticString, level: Int)
    throws(JSONFault) -> Bool
  {
    guard cursor.byte(at: cursor.position) != Byte.openBracket else { return true }
    let start = cursor.position
    try cursor.skipValue(level: level)
    let isEmpty = cursor.position == start + 2 && cursor.byte(at: start) == Byte.quote
    if !isEmpty { notePartFault(list: list, index: nil) }
    return false
  }

  /// Whether an element of a list is an object; any other is passed over and noted.
  mutating func beginsElement(
    _ cursor: inout JSONCursor, list: StaticString, index: Int, level: Int
  ) throws(JSONFault) -> Bool {
    guard cursor.byte(at: cursor.position) != Byte.openBrace else { return true }
    try cursor.skipValue(level: level)
    notePartFault(list: list, index: index)
    return false
  }
}
