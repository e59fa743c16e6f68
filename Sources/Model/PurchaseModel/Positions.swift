/// A row's place in a list of purchases, from 0.
public struct RowPosition: Hashable, Comparable, BitwiseCopyable, Sendable {
  private let number: Int32
  /// Names a place.
  public init(_ index: Int) { number = Int32(index) }
  /// The place as an index of an array.
  public var index: Int { Int(number) }
  /// In the order of the list.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A chain's place in a list of chains, from 0.
public struct ChainPosition: Hashable, Comparable, BitwiseCopyable, Sendable {
  private let number: Int32
  /// Names a place.
  public init(_ index: Int) { number = Int32(index) }
  /// The place as an index of an array.
  public var index: Int { Int(number) }
  /// In the order of the list.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A price report's place in a list of reports, from 0.
public struct ReportPosition: Hashable, Comparable, BitwiseCopyable, Sendable {
  private let number: Int32
  /// Names a place.
  public init(_ index: Int) { number = Int32(index) }
  /// The place as an index of an array.
  public var index: Int { Int(number) }
  /// In the order of the list.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
