internal import SwiftASN1

/// The content of a receipt for tests, as numbered attributes.
public struct ReceiptText {
  /// A value of an attribute.
  public enum Value {
    case text(String)
    case time(String)
    case number(Int)
    /// An in-app purchase.
    case attributes([(Int, Value)])
    /// An attribute without any value, not even an empty text.
    case nothing
  }

  private let attributes: [(Int, Value)]

  /// Creates a content from its attributes.
  public init(_ attributes: [(Int, Value)]) {
    self.attributes = attributes
  }

  /// A production receipt of 2021-03-05 with a monthly purchase of 2021-03-01.
  public static func monthly(transaction: String = "1001", more: [(Int, Value)] = []) -> ReceiptText
  {
    ReceiptText([
      (0, .text("Production")), (2, .text("com.example")), (3, .text("1.0")),
      (12, .time("2021-03-05T10:00:00Z")),
      (
        17,
        .attributes(
          [
            (1701, .number(1)), (1702, .text("pro")), (1703, .text(transaction)),
            (1704, .time("2021-03-01T10:00:00Z")), (1705, .text(transaction)),
            (1706, .time("2021-03-01T10:00:00Z")), (1708, .time("2021-04-01T10:00:00Z")),
            (1711, .number(5001)), (1712, .time("")), (1713, .number(0)), (1719, .number(0)),
          ] + more)
      ),
    ])
  }

  /// The content in DER.
  ///
  /// - Returns: A set of attributes.
  /// - Throws: The error of writing a value.
  public func bytes() throws -> [UInt8] {
    var serializer = DER.Serializer()
    try Self.append(attributes, to: &serializer)
    return serializer.serializedBytes
  }

  private static func append(_ attributes: [(Int, Value)], to coder: inout DER.Serializer) throws {
    try coder.appendConstructedNode(identifier: .set) { coder in
      for (number, value) in attributes {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
          try coder.serialize(number)
          try coder.serialize(1)
          try coder.serialize(ASN1OctetString(contentBytes: try bytes(of: value)[...]))
        }
      }
    }
  }

  private static func bytes(of value: Value) throws -> [UInt8] {
    var coder = DER.Serializer()
    switch value {
    case .text(let text): try coder.serialize(ASN1UTF8String(text))
    case .time(let text): try coder.serialize(ASN1IA5String(text))
    case .number(let number): try coder.serialize(number)
    case .attributes(let attributes): try append(attributes, to: &coder)
    case .nothing: break
    }
    return coder.serializedBytes
  }
}
