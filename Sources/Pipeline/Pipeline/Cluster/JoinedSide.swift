internal import Diagnostics
internal import PurchaseModel
internal import Purchases

/// The results of `join` that belong to no household.
///
/// A row `placeholder` has a placeholder customer id. A row `passed` has a chain of an account
/// whose receipt was passed on. A row `winner` has a transaction id and its purchase.
struct JoinedSide {
  static let tags: Set<String> = ["passed", "placeholder", "winner"]

  private(set) var placeholderIDs: [String] = []
  private(set) var passedOn: Set<ChainKey> = []
  private var winners: [(id: String, key: PurchaseKey)] = []

  /// Creates the results from the rows that `join` wrote.
  init(rows: [FilterRow]) throws(RunFailure) {
    for var row in rows {
      guard row.tag != "passed" else {
        passedOn.insert(ChainKey(rawValue: try row.key()))
        continue
      }
      let name = String(decoding: try row.requiredText(), as: UTF8.self)
      if row.tag == "placeholder" {
        placeholderIDs.append(name)
      } else {
        winners.append((name, PurchaseKey(rawValue: try row.number())))
      }
    }
  }

  /// The placeholder customer ids that are in a symbol table.
  func placeholderIDs(in symbols: SymbolTable) -> Set<CustomerID> {
    Set(placeholderIDs.compactMap { symbols.symbol($0).map(CustomerID.init) })
  }

  /// Returns the purchase for each transaction id that several chains claim.
  ///
  /// Only transaction ids in the symbol table are included.
  func winners(in symbols: SymbolTable) -> [TransactionID: PurchaseKey] {
    var found: [TransactionID: PurchaseKey] = [:]
    for winner in winners {
      guard let id = AppleNumber(known: winner.id, in: symbols) else { continue }
      found[TransactionID(id)] = winner.key
    }
    return found
  }
}
