/// One of Apple's ids, stored as a number if possible.
///
/// Apple writes its ids as decimal texts, such as `2000000812345678`. A text of at most 18 digits
/// without a leading zero is stored as a number. Any other text, for example in hand-made data, is
/// stored as a ``Symbol``. Numbers sort before symbols.
public struct AppleNumber: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The id as a number; for an id stored as a symbol, the symbol's number with the top bit set.
  public let rawValue: UInt64

  /// Rebuilds an id from a stored ``rawValue``.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Reads the text of an id; a text that cannot be stored as a number is added to the table.
  public init(_ text: Span<UInt8>, symbols: inout SymbolTable) {
    if let number = Self.number(text) {
      rawValue = number
    } else {
      rawValue = Self.textBit | UInt64(symbols.intern(text).rawValue)
    }
  }

  /// Reads the text of an id; a text that cannot be stored as a number is added to the table.
  public init(_ text: String, symbols: inout SymbolTable) {
    let bytes = Array(text.utf8)
    self.init(bytes.span, symbols: &symbols)
  }

  /// Reads an id that a person typed; `nil` if its text is neither numeric nor in the table.
  public init?(known text: String, in symbols: SymbolTable) {
    let bytes = Array(text.utf8)
    if let number = Self.number(bytes.span) {
      rawValue = number
    } else {
      guard let symbol = symbols.symbol(text) else { return nil }
      rawValue = Self.textBit | UInt64(symbol.rawValue)
    }
  }

  /// The symbol of an id that is stored as text; `nil` for an id that is stored as a number.
  public var symbol: Symbol? {
    rawValue & Self.textBit == 0
      ? nil : Symbol(rawValue: UInt32(truncatingIfNeeded: rawValue))
  }

  /// The text of the id, as Apple wrote it.
  public func text(in symbols: SymbolTable) -> String {
    symbol.map(symbols.text) ?? String(rawValue)
  }

  /// Whether the id has the form of a transaction id of the App Store: 10 to 20 decimal digits.
  ///
  /// `GPA.3372-4150-8523-17` of Google Play and the `0` of a StoreKit test file do not.
  public func hasFormOfTransaction(in symbols: SymbolTable) -> Bool {
    guard let symbol else { return rawValue >= 1_000_000_000 }
    let text = symbols.utf8(symbol)
    return (10...20).contains(text.count)
      && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Sorts the ids that are stored as numbers first, in numeric order; then the other ids, by
  /// symbol.
  public static func < (left: AppleNumber, right: AppleNumber) -> Bool {
    left.rawValue < right.rawValue
  }

  private static let textBit: UInt64 = 1 << 63

  private static func number(_ text: Span<UInt8>) -> UInt64? {
    guard (1...18).contains(text.count) else { return nil }
    guard text[0] != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var value: UInt64 = 0
    for index in 0..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + UInt64(digit)
    }
    return value
  }
}

/// The id of one observation of a purchase: `transaction_id`.
///
/// The id is not stable: after a restore, and sometimes after a renewal, the same purchase has
/// another id.
public struct TransactionID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Apple's id: a number, or the symbol of a text that is not numeric.
  public let number: AppleNumber
  /// Creates an id from its number.
  public init(_ number: AppleNumber) { self.number = number }
  /// Orders ids by ``number``; the order is stable, but has no meaning.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The id of a chain of purchases: `original_transaction_id`.
public struct OriginalTransactionID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Apple's id: a number, or the symbol of a text that is not numeric.
  public let number: AppleNumber
  /// Creates an id from its number.
  public init(_ number: AppleNumber) { self.number = number }
  /// Orders ids by ``number``; the order is stable, but has no meaning.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The id of one charge of a subscription: `web_order_line_item_id`.
///
/// A larger id is not always a later charge.
public struct LineItemID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Apple's id: a number, or the symbol of a text that is not numeric.
  public let number: AppleNumber
  /// Creates an id from its number.
  public init(_ number: AppleNumber) { self.number = number }
  /// Orders ids by ``number``; the order is stable, but has no meaning.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
