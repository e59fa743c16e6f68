/// A text that occurs in the data, by its number in a ``SymbolTable``.
///
/// Millions of rows name a few thousand products, customers and offers: a row keeps four bytes and
/// the table keeps the text once. In a sorted table the order of symbols is the byte order of
/// their texts, so rules may compare symbols and still decide by content alone.
public struct Symbol: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position in the table, from 0.
  public let rawValue: UInt32

  /// Rebuilds a symbol from a stored ``rawValue``.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The order of the table.
  public static func < (left: Symbol, right: Symbol) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A product of the app, as App Store Connect names it: `pro.monthly`.
public struct ProductID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The product's text.
  public let symbol: Symbol
  /// Names a product.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// The order of the texts.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// A promotional offer's identifier, an offer code's id, or an offer code's reference name.
public struct OfferID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The offer's text.
  public let symbol: Symbol
  /// Names an offer.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// The order of the texts.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// A customer as the export names one; private, it never reaches the warehouse.
public struct CustomerID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The customer's text.
  public let symbol: Symbol
  /// Names a customer.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// The order of the texts.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// An app's bundle id: `com.example.pro`.
public struct BundleID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The bundle's text.
  public let symbol: Symbol
  /// Names a bundle.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// The order of the texts.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}

/// A subscription group by Apple's id: `20611001`.
public struct SubscriptionGroupID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The group's text.
  public let symbol: Symbol
  /// Names a group.
  public init(_ symbol: Symbol) { self.symbol = symbol }
  /// The order of the texts.
  public static func < (left: Self, right: Self) -> Bool { left.symbol < right.symbol }
}
