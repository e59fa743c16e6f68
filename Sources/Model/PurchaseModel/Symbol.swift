/// The number of a text in a ``SymbolTable``.
///
/// Millions of rows have only a few thousand different products, customers and offers. So a row has
/// a symbol of four bytes, and the table stores each text once. In a sorted table, symbols are in
/// the order of their texts; rules that compare symbols then depend only on the texts.
public struct Symbol: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position in the table, from 0.
  public let rawValue: UInt32

  /// Rebuilds a symbol from a stored ``rawValue``.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Orders symbols as in their table.
  public static func < (left: Symbol, right: Symbol) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A product id of App Store Connect, such as `pro.monthly`, with its app if two apps sell the id.
///
/// Apple's product ids are unique within one app. If two apps sell `pro.monthly`, there are two
/// products. If only one app sells the id, the product has no app here.
public struct ProductID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The symbol of Apple's product id, such as `pro.monthly`, without the app.
  public let symbol: Symbol
  private let appNumber: UInt32  // of the app's symbol; the largest number for none
  /// Creates a product id without an app.
  public init(_ symbol: Symbol) { self.init(symbol, of: nil) }
  /// Creates a product id of an app.
  public init(_ symbol: Symbol, of app: BundleID?) {
    self.symbol = symbol
    appNumber = app?.symbol.rawValue ?? .max
  }
  /// The app, if several apps sell the id; `nil` if only one app sells it or the app is unknown.
  public var app: BundleID? {
    appNumber == .max ? nil : BundleID(Symbol(rawValue: appNumber))
  }
  /// The same id without its app.
  public var withoutApp: ProductID { ProductID(symbol) }
  /// Orders products by id, then app; an id without an app is last.
  public static func < (left: Self, right: Self) -> Bool {
    (left.symbol, left.appNumber) < (right.symbol, right.appNumber)
  }
}

/// A promotional offer's identifier, an offer code's id, or an offer code's reference name.
public struct OfferID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The symbol of the identifier.
  public let symbol: Symbol
  /// Creates an identifier from its symbol.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// Orders identifiers by their symbols.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// A customer id as the exports contain it.
///
/// It is private and never written to the warehouse.
public struct CustomerID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The symbol of the customer id.
  public let symbol: Symbol
  /// Creates a customer id from its symbol.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// Orders customers by their symbols.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// An app's bundle id: `com.example.pro`.
public struct BundleID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The symbol of the bundle id.
  public let symbol: Symbol
  /// Creates a bundle id from its symbol.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// Orders bundle ids by their symbols.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// A subscription group by Apple's id: `20611001`.
public struct SubscriptionGroupID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The symbol of the group id.
  public let symbol: Symbol
  /// Creates a group id from its symbol.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// Orders groups by their symbols.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}
