/// The texts of customer ids, and the erased customers.
///
/// They are kept apart from all other texts, because an incremental run needs only those of the few
/// customers that it touches. An erased customer keeps a number and loses the text.
public struct Customers: Sendable {
  private var bytes: [UInt8] = []
  /// The start of the text plus 1, and its length, keyed by the customer's number.
  private var starts: [UInt32] = []
  private var lengths: [UInt32] = []
  /// Customers whose text is a pseudonym.
  public private(set) var erased: Set<CustomerID> = []

  /// An empty table.
  public init() {}

  /// The customers among the texts of a table, who are all that it holds.
  public init(_ symbols: SymbolTable) {
    for number in 0..<UInt32(symbols.count) {
      let symbol = Symbol(rawValue: number)
      add(CustomerID(symbol), symbols.utf8(symbol), isErased: false)
    }
  }

  /// Adds a customer.
  public mutating func add(_ customer: CustomerID, _ text: some Collection<UInt8>, isErased: Bool) {
    let number = Int(customer.symbol.rawValue)
    if number >= starts.count {
      let more = number + 1 - starts.count
      starts += repeatElement(0, count: more)
      lengths += repeatElement(0, count: more)
    }
    starts[number] = UInt32(bytes.count) + 1
    lengths[number] = UInt32(text.count)
    bytes += text
    if isErased { erased.insert(customer) }
  }

  /// The UTF-8 bytes of a customer's id.
  ///
  /// - Precondition: the customer was added.
  public func utf8(_ customer: CustomerID) -> ArraySlice<UInt8> {
    let number = Int(customer.symbol.rawValue)
    precondition(has(customer), "the text of a customer was not loaded")
    let start = Int(starts[number]) - 1
    return bytes[start..<start + Int(lengths[number])]
  }

  /// Whether the customer's text is known here.
  public func has(_ customer: CustomerID) -> Bool {
    let number = Int(customer.symbol.rawValue)
    return number < starts.count && starts[number] > 0
  }

  /// Whether the customer was erased, so that the text is a pseudonym.
  public func isErased(_ customer: CustomerID) -> Bool { erased.contains(customer) }

  /// Marks customers as erased.
  public mutating func markErased(_ customers: some Sequence<CustomerID>) {
    erased.formUnion(customers)
  }
}
