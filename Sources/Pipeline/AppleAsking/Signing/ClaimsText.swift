/// A JSON object in the making: the members of a token's header or payload, in the order of adding.
struct ClaimsText {
  private var members: [UInt8] = []

  /// The whole object.
  var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  /// Adds a text.
  mutating func add(_ key: StaticString, _ value: String) {
    begin(key)
    append(value)
  }

  /// Adds a number.
  mutating func add(_ key: StaticString, _ value: Int64) {
    begin(key)
    members += Array(String(value).utf8)
  }

  private mutating func begin(_ key: StaticString) {
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    append(key.description)
    members.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    members.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): members += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        members += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: members.append(byte)
      }
    }
    members.append(UInt8(ascii: "\""))
  }
}
