/// The texts of customer ids, and the erased customers.
///
/// Customer ids are separate from all other texts, because a run needs only the few
/// customers with changed data. An erased customer keeps its symbol, but the symbol's text is a
/// pseudonym.
public struct Customers: Sendable {
  private var bytes: [UInt8] = []
  /// The index in ``bytes`` at which each customer's text starts, increased by 1.
  ///
  /// The customer's symbol is the index in this array. 0 means that the customer has no text.
  private var starts: [UInt32] = []
  private var lengths: [UInt32] = []
  /// The erased customers, whose texts are pseudonyms.
  public private(set) var erased: Set<CustomerID> = []

  /// Creates an empty table.
  public init() {}

  /// Creates a table from a symbol table that contains only customer ids.
  public init(_ symbols: SymbolTable) {
    for number in 0..<UInt32(symbols.count) {
      let symbol = Symbol(rawValue: number)
      add(CustomerID(symbol), symbols.utf8(symbol))
    }
  }

  private mutating func add(_ customer: CustomerID, _ text: some Collection<UInt8>) {
    let number = Int(customer.symbol.rawValue)
    if number >= starts.count {
      let more = number + 1 - starts.count
      starts += repeatElement(0, count: more)
      lengths += repeatElement(0, count: more)
    }
    starts[number] = UInt32(bytes.count) + 1
    lengths[number] = UInt32(text.count)
    bytes += text
  }

  /// The UTF-8 bytes of a customer's id.
  ///
  /// - Precondition: The customer was added.
  public func utf8(_ customer: CustomerID) -> ArraySlice<UInt8> {
    let number = Int(customer.symbol.rawValue)
    precondition(has(customer), "the text of a customer was not loaded")
    let start = Int(starts[number]) - 1
    return bytes[start..<start + Int(lengths[number])]
  }

  /// Returns true if the table has the customer's text.
  public func has(_ customer: CustomerID) -> Bool {
    let number = Int(customer.symbol.rawValue)
    return number < starts.count && starts[number] > 0
  }

  /// Returns true if the customer was erased, so that the text is a pseudonym.
  public func isErased(_ customer: CustomerID) -> Bool { erased.contains(customer) }

  /// Marks customers as erased; their texts must already be pseudonyms.
  public mutating func markErased(_ customers: some Sequence<CustomerID>) {
    erased.formUnion(customers)
  }
}
