/// A text that occurs in the data, by its number in a ``SymbolTable``.
///
/// Millions of rows name a few thousand products, customers and offers: a row keeps four bytes and
/// the table keeps the text once. In a sorted table the order of symbols is the byte order of their
/// texts, so rules may compare symbols and still decide only by content.
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

/// A product as App Store Connect names it, `pro.monthly`, with its app where two apps sell the id.
///
/// Apple's product ids are unique within one app. An id that a single app sells stands without its
/// app. If two apps sell `pro.monthly`, each has a product of its own.
public struct ProductID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The product's text.
  public let symbol: Symbol
  private let appNumber: UInt32  // of the app's symbol; the largest number for none
  /// Names a product without its app.
  public init(_ symbol: Symbol) { self.init(symbol, of: nil) }
  /// Names a product of an app.
  public init(_ symbol: Symbol, of app: BundleID?) {
    self.symbol = symbol
    appNumber = app?.symbol.rawValue ?? .max
  }
  /// The app; `nil` for an id of a single app, and where the app is not known.
  public var app: BundleID? {
    appNumber == .max ? nil : BundleID(Symbol(rawValue: appNumber))
  }
  /// The same id without its app.
  public var withoutApp: ProductID { ProductID(symbol) }
  /// The order of the ids, then of the apps; an id without an app comes last.
  public static func < (left: Self, right: Self) -> Bool {
    (left.symbol, left.appNumber) < (right.symbol, right.appNumber)
  }
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
