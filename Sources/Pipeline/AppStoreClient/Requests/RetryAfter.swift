internal import CivilTime

/// Reads the header `Retry-After`, in all formats that Apple's services use.
enum RetryAfter {
  /// Returns the time to wait according to the header `Retry-After`.
  ///
  /// The App Store Server API sends a time in milliseconds since 1970; other services send seconds.
  /// Examples at 2024-05-01T10:00:00Z: `1714557660000` → 60 s; `120` → 120 s; `soon` → `nil`.
  ///
  /// - Parameters:
  ///   - text: The header; `nil` if there is none.
  /// - Returns: The time to wait, 0 for a time in the past; `nil` if the header is not a number.
  static func wait(_ text: String?, now: Instant) -> Milliseconds? {
    guard let text, let number = Int64(text), number >= 0 else { return nil }
    // Smaller numbers are seconds. As seconds, a larger number would be a wait of more than thirty
    // years.
    guard number >= 1_000_000_000 else { return .seconds(number) }
    let moment = number >= 100_000_000_000 ? number : number * 1000
    return Milliseconds(max(0, Instant(milliseconds: moment).since(now).rawValue))
  }
}
