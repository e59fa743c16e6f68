/// Amounts with a decimal comma, as spreadsheets write them in most of Europe: `1.299,00`.
enum DecimalComma {
  /// Returns the amount with a decimal point and without separators of thousands.
  ///
  /// `nil` for a text in which a point or a blank does not separate thousands: `9.99`. So an amount
  /// with a decimal point is rejected, not read as 999. Also `nil` for three digits after a comma,
  /// which then separates thousands: `149,000`.
  static func plain(_ text: Span<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    var whole = 0
    var isFraction = false
    var hasSeparator = false
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: ","):
        guard !isFraction, !hasSeparator || whole == 3 else { return nil }
        isFraction = true
        plain.append(UInt8(ascii: "."))
      case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "'"):
        guard !isFraction, hasSeparator ? whole == 3 : (1...3).contains(whole) else { return nil }
        (whole, hasSeparator) = (0, true)
      default:
        whole += 1
        plain.append(byte)
      }
    }
    if isFraction, plain.count >= 4, plain[plain.count - 4] == UInt8(ascii: ".") { return nil }
    return hasSeparator && !isFraction && whole != 3 ? nil : plain
  }
}
