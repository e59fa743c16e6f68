internal import Diagnostics
internal import ExportReading

/// The faults of values that programs write in another unit or form than Apple's payloads have.
///
/// They name the field, the form that was found, and the form that is expected, without the value.
enum ValueFault {
  /// Returns the fault of a time in seconds; `nil` for a number that cannot be one of this century.
  ///
  /// Seconds since 1970 of the time after Apple's first purchases have ten digits, and seconds
  /// since 2001, as Swift's `JSONEncoder` writes them, nine.
  static func seconds(_ number: Int64, _ key: PayloadKey) -> TokenFault? {
    switch number {
    case 200_000_000..<1_199_145_600:
      fault(
        key, "is in seconds since 2001, as Swift's JSONEncoder writes a Date",
        "expected milliseconds since 1970: dateEncodingStrategy = .millisecondsSince1970")
    case 1_199_145_600..<4_102_444_800:
      fault(key, "is in seconds since 1970", "expected milliseconds: 1000 times the number")
    default: nil
    }
  }

  /// Returns true if a text is a number with decimals, such as `9.99` or `0.0`.
  static func isDecimal(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// Returns the fault of an amount with decimals.
  static func decimals(_ key: PayloadKey) -> TokenFault {
    fault(
      key, "has decimals",
      "expected thousandths of the currency, as Apple sends them: 8990 for 8.99")
  }

  /// Returns the fault of an object in place of a number, such as MongoDB's `{"$numberLong":"1"}`.
  static func object(_ key: PayloadKey) -> TokenFault {
    fault(
      key, "is an object or a list, as in MongoDB's extended JSON",
      "expected a number; write plain values, for example with jq -c 'walk(if type == \"object\" "
        + "and length == 1 then .[\"$numberLong\"] // .[\"$numberInt\"] // .[\"$numberDouble\"] // "
        + ".[\"$date\"] // .[\"$oid\"] // . else . end)' export.json > plain.ndjson")
  }

  private static func fault(_ key: PayloadKey, _ found: String, _ expected: String) -> TokenFault {
    TokenFault(.tokenFieldInvalid, "\(PayloadKey.table.name(of: key)) \(found); \(expected)")
  }
}
