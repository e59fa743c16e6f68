internal import SQLiteFiles
public import Diagnostics
internal import GRDB
public import PurchaseModel

/// The texts in state.db, such as product ids and customer ids, with their numbers.
///
/// The rows of state.db refer to a text by its number. The texts are read once for several loads.
public struct StateTexts: Sendable {
  /// Observations without rows: the symbols of the texts, and the customers among these symbols.
  public let set: Observations
  /// The generation of state.db at which the texts were read.
  public let generation: Int64
  let stored: StoredSymbols

  /// The symbol of the text that has a number in state.db; `nil` if state.db no longer has the
  /// text.
  public func symbol(ofNumber number: UInt32) -> Symbol? { stored[UInt64(number)] }

  /// The number in state.db of each text, indexed by symbol; 0 for a text that is not in state.db.
  ///
  /// Such a text comes only from the settings of the pipeline.
  public var numbers: [UInt32] { stored.numbers(count: set.symbols.count) }
}

extension StateDatabase {
  /// Reads all texts of state.db.
  ///
  /// - Parameter extraTexts: Texts that are included even if no file contains them.
  public func texts(_ extraTexts: [String] = []) throws(RunFailure) -> StateTexts {
    try file.read { db in
      var set = Observations()
      let stored: StoredSymbols
      (set.symbols, stored) = try Self.symbols(on: db, extraTexts: extraTexts)
      set.customers = Customers(set.symbols)
      set.customers.markErased(
        try ErasedCustomers.symbols(in: set.symbols, on: db).map(CustomerID.init))
      return StateTexts(set: set, generation: try Self.generation(on: db), stored: stored)
    }
  }

  /// Reads the texts of state.db, adds `extraTexts`, and sorts all texts by their bytes.
  ///
  /// The second result has the symbol of each number in state.db.
  static func symbols(on db: Database, extraTexts: [String]) throws
    -> (SymbolTable, StoredSymbols)
  {
    var table = SymbolTable()
    var stored = StoredSymbols()
    var extra = extraTexts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }[...]
    let texts = try RawStatement(
      "read symbols", "SELECT symbol_id, text FROM symbol ORDER BY text", on: db)
    while try texts.next() {
      // SQLite's default order is also by bytes, so extra texts can be merged in.
      unsafe texts.withBytes(1) { bytes in
        while let next = extra.first, unsafe next.lexicographicallyPrecedes(bytes) {
          _ = table.intern(next.span)
          extra.removeFirst()
        }
      }
      let symbol = texts.withSpan(1) { table.intern($0) }
      stored.set(Int(texts.int64(0)), to: symbol)
    }
    for text in extra { _ = table.intern(text.span) }
    return (table, stored)
  }
}
