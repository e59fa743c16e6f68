/// Parses milliseconds in any of JSON's formats for numbers: `1628000000000`, `1628000000000.0`,
/// `1.628e12`.
///
/// Rounds a fraction of a millisecond down; `nil` for other texts, and for numbers beyond 64 bits.
package func wholeMilliseconds(_ text: Span<UInt8>) -> Int64? {
  var mantissaEnd = 0
  while mantissaEnd < text.count, text[mantissaEnd] | 0x20 != UInt8(ascii: "e") { mantissaEnd += 1 }
  guard let exponent = exponent(text, from: mantissaEnd) else { return nil }
  var point = 0
  while point < mantissaEnd, text[point] != UInt8(ascii: ".") { point += 1 }
  guard var value = wholeNumber(text, upTo: point), point + 1 != mantissaEnd else { return nil }
  let isNegative = text[0] == UInt8(ascii: "-")
  var hasFraction = false
  var places = 0
  for index in min(point + 1, mantissaEnd)..<mantissaEnd {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    if places < exponent {
      guard let next = value.timesTen(adding: isNegative ? -Int64(digit) : Int64(digit)) else {
        return nil
      }
      value = next
      places += 1
    } else if digit > 0 {
      hasFraction = true
    }
  }
  while places < exponent, value != 0 {
    guard let next = value.timesTen(adding: 0) else { return nil }
    value = next
    places += 1
  }
  return hasFraction && isNegative ? value - 1 : value
}

/// Parses the exponent after `e`; 0 if the text has no `e`.
///
/// `nil` for a negative exponent, and for an exponent of more than two digits: no time is written
/// with such an exponent.
private func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
  guard start < text.count else { return 0 }
  let sign = start + 1 < text.count && text[start + 1] == UInt8(ascii: "+") ? 1 : 0
  let digits = (start + 1 + sign)..<max(start + 1 + sign, text.count)
  guard (1...2).contains(digits.count) else { return nil }
  var value = 0
  for index in digits {
    let digit = text[index] &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    value = value * 10 + Int(digit)
  }
  return value
}

extension Int64 {
  fileprivate func timesTen(adding digit: Int64) -> Int64? {
    let (product, overflow) = multipliedReportingOverflow(by: 10)
    guard !overflow else { return nil }
    let (sum, sumOverflow) = product.addingReportingOverflow(digit)
    return sumOverflow ? nil : sum
  }
}
